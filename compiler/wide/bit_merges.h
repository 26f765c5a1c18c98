// Works around a fault of LLVM 19 on AVX-512: bits of two values merged under a mask.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// LLVM makes one masked `vpternlog` of `m ? (a & C) | (b & ~C) : a`. The value that the mask keeps must be its first
/// operand. If that rotates the three operands by one place, LLVM 19 rotates the truth table the other way
/// (llvm/llvm-project#157929; no release of 19 has the correction), and the lanes of `m` are wrong. This puts a fence
/// between merge and select, which costs a blend. One side of a merge may still be a vector of inserted scalars, so every
/// `or` that may become a merge gets a fence. Must run last.
void fence_bit_merges(llvm::Function& function);

}  // namespace weft::compiler::wide
