// Reads behind the end of private arrays and of constant tables.
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler::simt {

/// `for (int k = 0; k <= 3; ++k) sum += weights[k] * row[k]` of three weights: undefined, but where the array stays in memory something is read there, which
/// programs multiply by nothing or do not use. LLVM makes all of `sum` undefined once the loop is unrolled, and leaves its store out. Such reads give zeros
/// from here on. For in front of what makes registers of arrays; no read within an array is touched.
struct OutsideReadsPass : llvm::PassInfoMixin<OutsideReadsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// The same of tables of constants, as `const int weights[3] = {1, 2, 1}` is one, whose elements LLVM knows as soon as it unrolls the loop: a table behind whose
/// end a loop reads, a few steps too far, gets zeros there. For in front of what unrolls loops.
struct PaddedTablesPass : llvm::PassInfoMixin<PaddedTablesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler::simt
