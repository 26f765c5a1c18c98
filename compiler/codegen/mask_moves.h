// Moves between mask registers that set the lanes behind the moved ones to zero.
//
// KMOVB, KMOVW and KMOVD, which LLVM makes of a mask's extension, are moves of all of the register to LLVM 19: where what they
// give finds no register it stores what they come from, and loads that. A masked store then writes lanes that are off.
#pragma once

namespace llvm {
class FunctionPass;
}

namespace weft::compiler::codegen {

/// Machine functions before registers are allocated: KORB, KORW or KORD of the mask and itself in place of each, which gives the same and is
/// no move to LLVM.
llvm::FunctionPass* make_mask_moves_pass();

}  // namespace weft::compiler::codegen
