// The lesser and the greater of extended numbers, in the bits that they had.
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler::simt {

/// OpenCL C computes on bytes in int, and so `max(a[i], b[i])` compares numbers of 32 bits wherever one of them is an int by the time. LLVM narrows unsigned
/// minima of numbers that were extended without a sign, and signed ones of those with one; signed ones of those without, which is what promoted bytes are, it
/// leaves. They become unsigned here, if what they are made of is no other value's too, so that a register holds four times as many.
struct NarrowExtremesPass : llvm::PassInfoMixin<NarrowExtremesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler::simt
