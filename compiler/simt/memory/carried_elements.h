// Vectors of one lane that a loop carries as their elements.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// Of `function`, one lane's: a vector that goes around a loop and is only put together of scalars and taken apart again, as the state of a cipher that looks
/// its words up in tables, goes around as its elements. As a register of its own it would be filled and read an element at a time in each iteration, and wait for
/// that.
void carry_elements(llvm::Function& function);

}  // namespace weft::compiler::simt
