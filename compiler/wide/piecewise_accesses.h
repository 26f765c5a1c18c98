// Loads and stores of values that loops have in pieces.
//
// Where register-blocking runs a loop once for each register's worth of what it carries, the first of its copies keeps all the others' values
// waiting in registers, and the last one all the others' results: those that do not fit go to the stack and back, beside the memory that
// they come from and go to anyway.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Loads each register's worth of a vector by itself, in front of the loop that it is for, and stores it behind that loop, if what is loaded and stored is used
/// and made by such pieces alone, and no memory access between here and there could tell. `function` is wide, behind register-blocking.
void access_piecewise(llvm::Function& function);

}  // namespace weft::compiler::wide
