#include "compiler/simt/memory/retry_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace weft::compiler::simt {
namespace {

using llvm::AtomicCmpXchgInst;
using llvm::Instruction;
using llvm::Value;

/// What `value` has the bits of.
const Value* bits_of(const Value* value) {
  while (const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(value)) value = cast->getOperand(0);
  return value;
}

/// Whether `value` is what `exchange` found.
bool is_found(const Value* value, const AtomicCmpXchgInst& exchange) {
  const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(bits_of(value));
  return part && part->getAggregateOperand() == &exchange && part->getIndices().front() == 0;
}

/// Whether the value to be replaced is read anew each time around: loaded in front of the exchange, or found by the one before.
bool is_fresh(const AtomicCmpXchgInst& exchange, const llvm::Loop& loop, const llvm::DominatorTree& dominators) {
  const Value* expected = bits_of(exchange.getCompareOperand());
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(expected))
    return loop.contains(load) && load->getPointerOperand()->stripPointerCasts() == exchange.getPointerOperand()->stripPointerCasts();
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(expected);
  if (!phi || phi->getParent() != loop.getHeader() || !dominators.dominates(&exchange, loop.getLoopLatch()->getTerminator())) return false;
  return is_found(phi->getIncomingValueForBlock(loop.getLoopLatch()), exchange);
}

/// Whether `condition` says that `exchange` did (`on_success`: true) or did not replace anything.
bool tells_success(const Value* condition, const AtomicCmpXchgInst& exchange, bool& on_success) {
  using namespace llvm::PatternMatch;
  on_success = true;
  Value* inner = nullptr;
  while (match(condition, m_Not(m_Value(inner)))) {
    condition = inner;
    on_success = !on_success;
  }
  if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(condition))
    return part->getAggregateOperand() == &exchange && part->getIndices().front() == 1;
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!compare || !compare->isEquality()) return false;
  if (compare->getPredicate() == llvm::CmpInst::ICMP_NE) on_success = !on_success;
  const Value *a = bits_of(compare->getOperand(0)), *b = bits_of(compare->getOperand(1));
  const Value* expected = bits_of(exchange.getCompareOperand());
  return (is_found(a, exchange) && b == expected) || (is_found(b, exchange) && a == expected);
}

}  // namespace

AtomicCmpXchgInst* find_retried_exchange(const llvm::Loop& loop, const llvm::DominatorTree& dominators) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (!latch || !loop.isInnermost()) return nullptr;
  AtomicCmpXchgInst* exchange = nullptr;
  for (llvm::BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block)
      if (auto* found = llvm::dyn_cast<AtomicCmpXchgInst>(&instruction)) {
        if (exchange) return nullptr;
        exchange = found;
      }
  if (!exchange || !loop.isLoopInvariant(exchange->getPointerOperand()) || !exchange->getCompareOperand()->getType()->isIntegerTy()) return nullptr;
  if (!is_fresh(*exchange, loop, dominators)) return nullptr;
  // Where it has succeeded the loop ends, in whichever iteration that is.
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const llvm::BasicBlock* block : exiting) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    bool on_success = false;
    if (!branch || !branch->isConditional() || !tells_success(branch->getCondition(), *exchange, on_success)) continue;
    if (!loop.contains(branch->getSuccessor(on_success ? 0 : 1)) && dominators.dominates(block, latch)) return exchange;
  }
  return nullptr;
}

}  // namespace weft::compiler::simt
