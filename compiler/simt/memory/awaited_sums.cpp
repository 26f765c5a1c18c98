#include "compiler/simt/memory/awaited_sums.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/memory/recurrence.h"
#include "compiler/target/costs.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Values that are looked at for what a loop makes of what it carries.
constexpr unsigned kMostAwaited = 32;
constexpr unsigned kAddend = 2;

using Sums = llvm::SmallSetVector<llvm::IntrinsicInst*, 8>;

bool is_sum_of_product(const Value& value) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
  const llvm::Type* type = value.getType()->getScalarType();
  return call && call->getIntrinsicID() == llvm::Intrinsic::fmuladd && (type->isFloatTy() || type->isDoubleTy());
}

/// Adds the sums of products between `carried` and what it is in the next iteration of `loop`, if nothing but sums and choices lies on the way.
void add_sums(llvm::PHINode& carried, const llvm::Loop& loop, Sums& found) {
  if (!carried.getType()->isFPOrFPVectorTy()) return;
  llvm::SmallSetVector<Value*, 8> made;
  made.insert(&carried);
  Sums sums;
  for (unsigned i = 0; i < made.size(); ++i)
    for (llvm::Use& use : made[i]->uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      if (!loop.contains(user) || (user->getParent() == loop.getHeader() && llvm::isa<llvm::PHINode>(user))) continue;
      const bool multiplies = is_sum_of_product(*user), adds = user->getOpcode() == Instruction::FAdd || user->getOpcode() == Instruction::FSub;
      if (multiplies && use.getOperandNo() != kAddend) return;
      if (!multiplies && !adds && !llvm::isa<llvm::PHINode, llvm::SelectInst>(user)) return;
      if (multiplies) sums.insert(llvm::cast<llvm::IntrinsicInst>(user));
      if (made.insert(user) && made.size() > kMostAwaited) return;
    }
  if (made.contains(carried.getIncomingValueForBlock(loop.getLoopLatch()))) found.insert(sums.begin(), sums.end());
}

/// Cycles that an iteration of `loop` keeps the processor busy for.
double work(const llvm::Loop& loop, const target::Costs& costs) {
  double cycles = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      cycles += llvm::isa<llvm::LoadInst>(instruction)    ? target::kScalarLoad
                : llvm::isa<llvm::StoreInst>(instruction) ? target::kScalarStore
                                                          : std::max(costs.scalar(instruction), instruction.isTerminator() ? target::kScalarOperation : 0);
  return cycles;
}

void part(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  // What may be contracted would be one operation again.
  llvm::FastMathFlags flags = call.getFastMathFlags();
  flags.setAllowContract(false);
  builder.setFastMathFlags(flags);
  Value* product = builder.CreateFMul(call.getArgOperand(0), call.getArgOperand(1), "product");
  Value* sum = builder.CreateFAdd(call.getArgOperand(kAddend), product);
  sum->takeName(&call);
  call.replaceAllUsesWith(sum);
  call.eraseFromParent();
}

}  // namespace

void part_awaited_sums(llvm::Function& lane, const target::Costs& costs) {
  llvm::DominatorTree dominators(lane);
  llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopLatch()) continue;
    Sums sums;
    for (llvm::PHINode& carried : loop->getHeader()->phis()) add_sums(carried, *loop, sums);
    double cycles = work(*loop, costs);
    for (const llvm::IntrinsicInst* sum : sums) cycles += costs.scalar(*sum);
    if (sums.empty() || cycles > recurrence_cycles(*loop, costs)) continue;
    for (llvm::IntrinsicInst* sum : sums) part(*sum);
  }
}

}  // namespace weft::compiler::simt
