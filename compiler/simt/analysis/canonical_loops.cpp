#include "compiler/simt/analysis/canonical_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {

void canonicalize_loops(llvm::Function& function, Analyses& analyses) {
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  llvm::FunctionPassManager canonical;
  canonical.addPass(llvm::LoopSimplifyPass());
  canonical.addPass(llvm::LCSSAPass());
  manager.invalidate(function, canonical.run(function, manager));
}

llvm::Loop* canonical_loop(llvm::BasicBlock& header, Analyses& analyses) {
  llvm::Function& function = *header.getParent();
  canonicalize_loops(function, analyses);
  llvm::Loop* loop = analyses.functions().getResult<llvm::LoopAnalysis>(function).getLoopFor(&header);
  return loop && loop->getHeader() == &header ? loop : nullptr;
}

}  // namespace weft::compiler::simt
