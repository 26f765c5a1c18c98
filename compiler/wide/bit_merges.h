// Bits of two values merged under a mask, kept from a fault of LLVM 19 on AVX-512.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// LLVM makes one masked `vpternlog` of `m ? (a & C) | (b & ~C) : a`, in which the value that the mask leaves alone has to
/// come first. Where that takes turning the three operands by one place, LLVM 19 turns the truth table the other way
/// (llvm/llvm-project#157929; no release of 19 has the correction), and the lanes of `m` are wrong. So the merge is kept
/// apart from the select: it costs a blend. It may be disguised here, with one side put together from scalars, so every
/// `or` that may turn out to be a merge is. To be run last.
void keep_merges_apart(llvm::Function& function);

}  // namespace weft::compiler::wide
