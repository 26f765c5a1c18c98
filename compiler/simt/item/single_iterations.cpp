#include "compiler/simt/item/single_iterations.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler::simt {
namespace {

/// Whether `a` is known to be `greater` than `b`, or as great. The least of several is no greater than one of them, which LLVM loses where it makes `a >= b` to
/// `a + 1 > b`.
bool is_known(llvm::ScalarEvolution& evolution, llvm::CmpInst::Predicate greater, const llvm::SCEV& a, const llvm::SCEV& b) {
  if (!llvm::ICmpInst::isGT(greater) && !llvm::ICmpInst::isGE(greater)) return false;
  const auto* least = llvm::dyn_cast<llvm::SCEVMinMaxExpr>(&b);
  if (!least || least->getSCEVType() != (llvm::CmpInst::isSigned(greater) ? llvm::scSMinExpr : llvm::scUMinExpr)) return evolution.isKnownPredicate(greater, &a, &b);
  return llvm::any_of(least->operands(), [&](const llvm::SCEV* one) { return evolution.isKnownPredicate(greater, &a, one); });
}

/// Whether `loop`, which is left behind its body alone, is always left there the first time.
bool runs_once(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  const auto* compare = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !evolution.isSCEVable(compare->getOperand(0)->getType())) return false;
  const auto first = [&](llvm::Value* value) -> const llvm::SCEV* {
    const llvm::SCEV* known = evolution.getSCEV(value);
    if (evolution.isLoopInvariant(known, &loop)) return known;
    const auto* counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(known);
    return counted && counted->getLoop() == &loop ? counted->getStart() : nullptr;
  };
  const llvm::SCEV *a = first(compare->getOperand(0)), *b = first(compare->getOperand(1));
  const auto leaves = branch->getSuccessor(0) == loop.getHeader() ? compare->getInversePredicate() : compare->getPredicate();
  if (!a || !b) return false;
  return is_known(evolution, leaves, *a, *b) || is_known(evolution, llvm::CmpInst::getSwappedPredicate(leaves), *b, *a);
}

void leave_at_once(const llvm::Loop& loop) {
  auto* branch = llvm::cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  branch->setCondition(llvm::ConstantInt::getBool(branch->getContext(), branch->getSuccessor(0) != loop.getHeader()));
}

}  // namespace

llvm::PreservedAnalyses SingleIterationsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::SmallVector<const llvm::Loop*, 4> once;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->getLoopLatch() && loop->getExitingBlock() == loop->getLoopLatch() && runs_once(*loop, evolution)) once.push_back(loop);
  for (const llvm::Loop* loop : once) leave_at_once(*loop);
  return once.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace weft::compiler::simt
