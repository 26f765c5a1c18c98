#include "compiler/simt/memory/lane_counts.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/simt/ir/least.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// LLVM's measure of what it takes to say how often a lane runs a loop.
constexpr unsigned kMostCounting = 12;
/// Up to which LLVM unrolls such a loop: its own bound, -scev-cheap-expansion-budget.
constexpr unsigned kCheapCounting = 4;

}  // namespace

const llvm::SCEV* repetitions_in_front(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, const llvm::TargetTransformInfo& target) {
  const llvm::SCEV* repetitions = evolution.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(repetitions) || !repetitions->getType()->isIntegerTy() || repetitions->getType()->getIntegerBitWidth() < 32)
    return nullptr;
  llvm::SCEVExpander expander(evolution, loop.getHeader()->getModule()->getDataLayout(), "again");
  auto* own = const_cast<llvm::Loop*>(&loop);
  const llvm::Instruction* front = loop.getLoopPredecessor()->getTerminator();
  const bool divides = llvm::SCEVExprContains(repetitions, [&](const llvm::SCEV* part) {
    const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(part);
    return quotient && !llvm::isa<llvm::SCEVConstant>(quotient->getRHS()) && !expander.hasRelatedExistingExpansion(quotient, front, own);
  });
  if (divides || !expander.isSafeToExpand(repetitions)) return nullptr;
  return expander.isHighCostExpansion(repetitions, own, kMostCounting, &target, front) ? nullptr : repetitions;
}

bool counts_cheaply(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, const llvm::TargetTransformInfo& target) {
  const llvm::SCEV* repetitions = evolution.getBackedgeTakenCount(&loop);
  const llvm::BasicBlock* front = loop.getLoopPredecessor();
  if (llvm::isa<llvm::SCEVCouldNotCompute>(repetitions) || !front) return false;
  llvm::SCEVExpander expander(evolution, loop.getHeader()->getModule()->getDataLayout(), "again");
  return !expander.isHighCostExpansion(repetitions, const_cast<llvm::Loop*>(&loop), kCheapCounting, &target, front->getTerminator());
}

Value& emit_repetitions(const llvm::SCEV& repetitions, llvm::ScalarEvolution& evolution, llvm::Instruction& at) {
  llvm::SCEVExpander expander(evolution, at.getModule()->getDataLayout(), "again");
  return *expander.expandCodeFor(&repetitions, repetitions.getType(), &at);
}

Value& in_32_bits(llvm::IRBuilderBase& builder, Value& repetitions) {
  if (repetitions.getType()->getIntegerBitWidth() == 32) return repetitions;
  Value* most = llvm::ConstantInt::get(repetitions.getType(), INT32_MAX - 1);
  return *builder.CreateTrunc(builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, &repetitions, most), builder.getInt32Ty());
}

Value& least_of_lanes(llvm::IRBuilderBase& builder, Value& number) {
  const auto least = builder.GetInsertBlock()->getModule()->getOrInsertFunction(primitive::kLeast, builder.getInt32Ty(), builder.getInt32Ty());
  return *builder.CreateCall(least, &number, "least");
}

}  // namespace weft::compiler::simt
