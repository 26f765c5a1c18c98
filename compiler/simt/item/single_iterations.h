// Loops that are left the first time.
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler::simt {

/// `for (int y = first, end = min(rows, first + 1); y < end; ++y)`, as programs have it whose work-items do so many rows each, where that is one: LLVM does not
/// see that there is no second. Such a loop's branch back is never taken from here on, so that what simplifies control flow, or unrolls, leaves its body alone.
struct SingleIterationsPass : llvm::PassInfoMixin<SingleIterationsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler::simt
