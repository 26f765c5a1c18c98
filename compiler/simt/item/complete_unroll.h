// Loops that are unrolled completely, as long as the kernel stays of a usual size.
#pragma once

#include "llvm/IR/PassManager.h"

namespace weft::compiler::simt {

/// Only complete unrolling: it makes the indices of private arrays constant, so that they become registers.
///
/// LLVM bounds what becomes of one loop, not of all. Loops within an unrolled one, each with fewer iterations than the last, as programs have them that go
/// through rates, triangles of matrices or nodes of a lattice, would come to tens of thousands of instructions, whose arrays no registers
/// hold anyhow. Where that is so, only what the program asks to unroll is; and of that no loop that only moves more than kMostMoved bytes.
/// Nor is a loop of more than kMostSteps that only copies elements of a private variable to or from global or local memory, if the program chooses elements of it elsewhere:
/// nothing makes those registers.
struct CompleteUnrollPass : llvm::PassInfoMixin<CompleteUnrollPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler::simt
