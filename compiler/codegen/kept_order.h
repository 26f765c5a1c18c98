// Functions and blocks whose instructions LLVM's scheduler leaves where they are.
//
// It orders a block by what waits for what and by registers that it believes to be free, in which it is wrong for long blocks of wide loads:
// code that was ordered for few registers (simt/item/load_order.h) comes out with dozens of spills. The processor reorders what it would.
#pragma once

namespace llvm {
class BasicBlock;
class Function;
}

namespace weft::compiler::codegen {

/// Marks `function`.
void keep_order(llvm::Function& function);
/// Marks `block` alone, by its terminator.
void keep_order(llvm::BasicBlock& block);

/// Makes LLVM ask for the mark, and order the loads and stores of functions without it (ascending_accesses.h). Once, before machine code is made.
void let_functions_keep_order();

}  // namespace weft::compiler::codegen
