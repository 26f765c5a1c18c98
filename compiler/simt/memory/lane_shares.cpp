#include "compiler/simt/memory/lane_shares.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <utility>

#include "compiler/simt/analysis/uniformity.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;
using llvm::PatternMatch::m_LogicalAnd;
using llvm::PatternMatch::m_LogicalOr;
using llvm::PatternMatch::m_Value;

constexpr unsigned kSharingLanes = abi::kWarpSize;
/// Of lanes that compare what each has, those that find it equal to something; of any other condition nothing is known.
constexpr double kEqual = 0.25, kEither = 0.5;
/// The same of a number that counts them.
constexpr double kOwn = 1.0 / kSharingLanes;
/// Blocks of conditions in a row, joined by ||, that are looked through.
constexpr unsigned kMostConditions = 4;

/// The block in front of `loop` that asks whether there is anything to iterate, which most lanes have; null if there is none.
const llvm::BasicBlock* guard_of(const llvm::Loop& loop) {
  const llvm::BasicBlock* block = loop.getLoopPredecessor();
  if (block && block->getSingleSuccessor()) block = block->getSinglePredecessor();
  const auto* branch = block ? llvm::dyn_cast<llvm::BranchInst>(block->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional()) return nullptr;
  const auto* compared = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  return compared && compared->isEquality() ? nullptr : block;
}

/// Whether `comparison` is of numbers that count lanes.
bool counts_lanes(const llvm::ICmpInst& comparison, LaneShares::ShapeOf shape) {
  return llvm::any_of(comparison.operands(), [&](const Value* operand) {
    const Shape found = shape(*operand);
    return found.is_affine() && found.stride != 0;
  });
}

}  // namespace

LaneShares::LaneShares(llvm::UniformityInfo& uniformity, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators)
    : uniformity_(uniformity), loops_(loops), dominators_(dominators) {
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (const llvm::BasicBlock* guard = guard_of(*loop)) guards_.insert(guard);
}

/// Of the lanes that come to a branch on `condition`, those that find it to be `holds`.
double LaneShares::share_of(const Value& condition, bool holds, ShapeOf shape) const {
  const Value *a = nullptr, *b = nullptr;
  const bool are_both = llvm::PatternMatch::match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)));
  if (are_both || llvm::PatternMatch::match(&condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    const double share = share_of(*a, are_both, shape) * share_of(*b, are_both, shape);
    return holds == are_both ? share : 1 - share;
  }
  const auto* compared = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (!compared || !uniformity_.isDivergent(compared)) return compared ? 1 : kEither;
  // Ids against a bound of the range, which cuts few lanes off, along rows and of rows; one lane, as the first of a group.
  const auto is_id = [&](const Value* operand) { return uniformity_.isDivergent(operand) && shape(*operand).is_affine(); };
  if (!compared->isEquality()) return llvm::any_of(compared->operand_values(), is_id) ? 1 : kEither;
  const double equal = counts_lanes(*compared, shape) ? kOwn : kEqual;
  return (compared->getPredicate() == llvm::CmpInst::ICMP_EQ) == holds ? equal : 1 - equal;
}

double LaneShares::share_reaching(const llvm::BasicBlock& from, const llvm::BasicBlock& to, ShapeOf shape, unsigned most) const {
  if (&from == &to) return 1;
  if (!llvm::isPotentiallyReachable(&from, &to, nullptr, &dominators_, &loops_)) return 0;
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
  if (!branch || !most) return 1;
  if (!branch->isConditional()) return share_reaching(*branch->getSuccessor(0), to, shape, most - 1);
  if (!uniformity_.hasDivergentTerminator(from)) return 1;
  double share = 0;
  for (const bool holds : {true, false})
    share += share_of(*branch->getCondition(), holds, shape) * share_reaching(*branch->getSuccessor(holds ? 0 : 1), to, shape, most - 1);
  return std::min(share, 1.0);
}

double LaneShares::live_lanes(const llvm::Loop& loop, ShapeOf shape) const {
  double share = 1;
  const llvm::BasicBlock* below = loop.getHeader();
  for (const auto* node = dominators_.getNode(loop.getHeader())->getIDom(); node; node = node->getIDom()) {
    const llvm::BasicBlock* block = node->getBlock();
    const llvm::BasicBlock* next = std::exchange(below, block);
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || !uniformity_.hasDivergentTerminator(*block) || guards_.contains(block)) continue;
    // All lanes leave a loop in front of it at last.
    const llvm::Loop* before = loops_.getLoopFor(block);
    if (before && !before->contains(loop.getHeader()) && before->getExitingBlock() == block) continue;
    bool leads = false;
    for (const bool holds : {true, false})
      if (dominators_.dominates(llvm::BasicBlockEdge(block, branch->getSuccessor(holds ? 0 : 1)), loop.getHeader())) {
        share *= share_of(*branch->getCondition(), holds, shape);
        leads = true;
      }
    // Either of two conditions leads there, a || b.
    if (!leads) share *= share_reaching(*block, *next, shape, kMostConditions);
  }
  return std::max(1.0, share * kSharingLanes);
}

const llvm::ICmpInst* LaneShares::asks_for_own_number(const llvm::BasicBlock& block, ShapeOf shape) const {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  const auto* compared = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  return compared && compared->isEquality() && uniformity_.isDivergent(compared) && counts_lanes(*compared, shape) ? compared : nullptr;
}

llvm::DenseMap<const llvm::BasicBlock*, double> LaneShares::of_blocks(const llvm::Loop& loop, ShapeOf shape) const {
  llvm::DenseMap<const llvm::BasicBlock*, double> result;
  llvm::LoopBlocksRPO order(const_cast<llvm::Loop*>(&loop));
  order.perform(&loops_);
  for (const llvm::BasicBlock* block : order) {
    double share = block == loop.getHeader() ? 1 : 0;
    for (const llvm::BasicBlock* before : llvm::predecessors(block)) {
      const auto known = result.find(before);
      if (known == result.end()) continue;
      // Whatever leaves a loop gets there once for each time that the loop runs.
      const llvm::Loop& around = *loops_.getLoopFor(before);
      const auto stays = llvm::count_if(llvm::successors(before), [&](const llvm::BasicBlock* next) { return around.contains(next); });
      const bool parts = around.contains(block) && uniformity_.hasDivergentTerminator(*before) && !guards_.contains(before);
      const llvm::ICmpInst* own = parts && stays == 2 ? asks_for_own_number(*before, shape) : nullptr;
      if (own)
        share += known->second * (before->getTerminator()->getSuccessor(own->getPredicate() == llvm::CmpInst::ICMP_EQ ? 0 : 1) == block ? kOwn : 1 - kOwn);
      else
        share += known->second / (parts ? std::max<std::ptrdiff_t>(1, stays) : 1);
    }
    result[block] = std::min(share, 1.0);
  }
  return result;
}

}  // namespace weft::compiler::simt
