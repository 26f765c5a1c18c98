#include "compiler/simt/masks/settled_sides.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/masks/full_copy.h"
#include "compiler/simt/masks/shared_sides.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::SCEV;
using llvm::Value;

/// Comparisons that all iterations make, for what is asked once.
constexpr unsigned kFewestComparisons = 16;
/// Behind a bound of the range: what is worth its compilation twice.
constexpr unsigned kMostGuarded = 3000;
constexpr unsigned kMostSteps = 12;

/// A number in any iteration: `base` and between `low` and `high` more, as 32 bits wrap around.
struct Range {
  const SCEV* base;
  std::int64_t low = 0, high = 0;

  void include(const Range& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

/// Comparisons of what differs by the same number in front of a loop, and how far both go from there.
struct Sides {
  Range left, right;
  bool has_unsigned = false;
  llvm::SmallVector<std::pair<llvm::ICmpInst*, bool>, 16> comparisons = {};  ///< true: their operands the other way round
};

/// What the progressions of loops around begin with: they count from 0 in what comparisons have in common.
std::int64_t first_number(const SCEV& number) {
  const SCEV* start = &number;
  while (const auto* progression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(start)) start = progression->getStart();
  if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(start)) start = sum->getOperand(0);
  const auto* constant = start == &number ? nullptr : llvm::dyn_cast<llvm::SCEVConstant>(start);
  return constant ? constant->getAPInt().getSExtValue() : 0;
}

std::optional<Range> range_of(const SCEV& number, const Loop& loop, llvm::ScalarEvolution& evolution) {
  if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(&number)) {
    const std::int64_t value = constant->getAPInt().getSExtValue();
    return Range{evolution.getZero(number.getType()), value, value};
  }
  if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&number)) {
    Range total{evolution.getZero(number.getType())};
    for (const SCEV* operand : sum->operands()) {
      const auto range = range_of(*operand, loop, evolution);
      if (!range) return std::nullopt;
      total = {evolution.getAddExpr(total.base, range->base), total.low + range->low, total.high + range->high};
    }
    return total;
  }
  if (const auto* progression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&number); progression && progression->getLoop() == &loop) {
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(progression->getStepRecurrence(evolution));
    const unsigned count = evolution.getSmallConstantTripCount(&loop);
    if (!progression->isAffine() || !step || !count || count > 1u << 16) return std::nullopt;
    auto range = range_of(*progression->getStart(), loop, evolution);
    if (!range) return std::nullopt;
    const std::int64_t all = step->getAPInt().getSExtValue() * (count - 1);
    range->low += std::min<std::int64_t>(all, 0);
    range->high += std::max<std::int64_t>(all, 0);
    return range;
  }
  if (!evolution.isLoopInvariant(&number, &loop)) return std::nullopt;
  const std::int64_t value = first_number(number);
  if (value == 0) return Range{&number};
  const SCEV* constant = evolution.getConstant(number.getType(), static_cast<std::uint64_t>(value), /*isSigned=*/true);
  return Range{evolution.getMinusSCEV(&number, constant), value, value};
}

/// The comparisons in `loop`, by which lanes part, of two numbers that keep their distance for most of them; null if there are none.
std::optional<Sides> sides_of(const Loop& loop, llvm::ScalarEvolution& evolution, const llvm::UniformityInfo& uniformity) {
  llvm::MapVector<std::pair<const SCEV*, const SCEV*>, Sides> found;
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block) {
      auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
      if (!compare || !compare->getOperand(0)->getType()->isIntegerTy(32) || !uniformity.isDivergent(compare)) continue;
      const auto left = range_of(*evolution.getSCEV(compare->getOperand(0)), loop, evolution);
      const auto right = left ? range_of(*evolution.getSCEV(compare->getOperand(1)), loop, evolution) : std::nullopt;
      if (!right || left->base->isZero() || right->base->isZero() || left->base == right->base) continue;
      const bool turned = found.contains({right->base, left->base});
      const Range &first = turned ? *right : *left, &second = turned ? *left : *right;
      auto [at, is_new] = found.insert({{first.base, second.base}, Sides{first, second}});
      Sides& sides = at->second;
      sides.left.include(first);
      sides.right.include(second);
      sides.has_unsigned |= compare->isUnsigned();
      sides.comparisons.emplace_back(compare, turned);
    }
  const auto most = std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.second.comparisons.size() < b.second.comparisons.size();
  });
  return most == found.end() ? std::nullopt : std::optional(most->second);
}

/// Whether places in a loop are chosen by comparisons.
class Choices {
 public:
  Choices(const Loop& loop, const Sides& sides, const llvm::DominatorTree& dominators) : loop_(loop), dominators_(dominators) {
    for (const auto& comparison : sides.comparisons) conditions_.insert(comparison.first);
  }

  /// Whether `value` is chosen by one of the comparisons, or by what these are part of.
  bool choose(const Value& value, unsigned steps = kMostSteps) const {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction || !loop_.contains(instruction) || !steps) return false;
    if (conditions_.contains(instruction)) return true;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      return phi->getParent() != loop_.getHeader() && choose_way(*phi, steps - 1);
    if (!llvm::isa<llvm::SelectInst, llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction)) return false;
    return llvm::any_of(instruction->operands(), [&](const Value* operand) { return choose(*operand, steps - 1); });
  }

 private:
  /// Whether a branch on the ways to `phi` is on one of the comparisons, or the phi's values are chosen by them.
  bool choose_way(const llvm::PHINode& phi, unsigned steps) const {
    const BasicBlock* fork = dominators_.getNode(phi.getParent())->getIDom()->getBlock();
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const BasicBlock* block = phi.getIncomingBlock(i);
      while (true) {
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        if (branch && branch->isConditional() && choose(*branch->getCondition(), steps)) return true;
        if (block == fork) break;
        block = dominators_.getNode(block)->getIDom()->getBlock();
      }
      if (choose(*phi.getIncomingValue(i), steps)) return true;
    }
    return false;
  }

  const Loop& loop_;
  const llvm::DominatorTree& dominators_;
  llvm::SmallPtrSet<const Value*, 16> conditions_;
};

/// Whether lanes load at places that the comparisons choose, or under a condition.
bool chooses_loads(const Loop& loop, const Sides& sides, const llvm::DominatorTree& dominators) {
  const Choices choices(loop, sides, dominators);
  return llvm::any_of(loop.blocks(), [&](const BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& instruction) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || load->getPointerAddressSpace() != kGlobalSpace) return false;
      return !dominators.dominates(block, loop.getLoopLatch()) || choices.choose(*load->getPointerOperand());
    });
  });
}

/// In front of a loop: whether all of `first` is greater than all of `second` in all iterations, for which neither may wrap around.
Value* is_above(llvm::IRBuilder<>& builder, Value* first, const Range& first_range, Value* second, const Range& second_range) {
  Value* least = builder.CreateAdd(first, builder.getInt64(first_range.low));
  return builder.CreateICmpSGT(least, builder.CreateAdd(second, builder.getInt64(second_range.high)));
}

Value* does_not_wrap(llvm::IRBuilder<>& builder, Value* number, const Range& range, bool is_unsigned) {
  Value* condition = builder.getTrue();
  if (range.low < 0 || is_unsigned) {
    const std::int64_t least = (is_unsigned ? 0 : std::numeric_limits<std::int32_t>::min()) - range.low;
    condition = builder.CreateICmpSGE(number, builder.getInt64(static_cast<std::uint64_t>(least)));
  }
  if (range.high > 0)
    condition = builder.CreateAnd(condition, builder.CreateICmpSLE(number, builder.getInt64(std::numeric_limits<std::int32_t>::max() - range.high)));
  return condition;
}

bool holds(const llvm::ICmpInst& compare, bool left_is_greater) {
  using Predicate = llvm::CmpInst::Predicate;
  switch (llvm::ICmpInst::getSignedPredicate(compare.getPredicate())) {
    case Predicate::ICMP_SGT:
    case Predicate::ICMP_SGE: return left_is_greater;
    case Predicate::ICMP_SLT:
    case Predicate::ICMP_SLE: return !left_is_greater;
    default: return compare.getPredicate() == Predicate::ICMP_NE;
  }
}

/// Copies `loop` for both sides. Returns the headers of the copies.
llvm::SmallVector<BasicBlock*, 2> copy_for_sides(llvm::Function& region, const Loop& loop, const Sides& sides, llvm::ScalarEvolution& evolution) {
  BasicBlock* before = loop.getLoopPreheader();
  Instruction* end = before->getTerminator();
  llvm::SCEVExpander expander(evolution, region.getDataLayout(), "side");
  for (const SCEV* base : {sides.left.base, sides.right.base})
    if (!expander.isSafeToExpandAt(base, end)) return {};
  Value* left = expander.expandCodeFor(sides.left.base, nullptr, end);
  Value* right = expander.expandCodeFor(sides.right.base, nullptr, end);
  llvm::IRBuilder<> builder(end);
  left = builder.CreateSExt(left, builder.getInt64Ty());
  right = builder.CreateSExt(right, builder.getInt64Ty());
  Value* plain = builder.CreateAnd(does_not_wrap(builder, left, sides.left, sides.has_unsigned),
                                   does_not_wrap(builder, right, sides.right, sides.has_unsigned));
  const auto vote = region.getParent()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());

  llvm::SmallVector<BasicBlock*, 2> headers;
  for (const bool is_left_greater : {true, false}) {
    Value* side = is_left_greater ? is_above(builder, left, sides.left, right, sides.right) : is_above(builder, right, sides.right, left, sides.left);
    Value* all = builder.CreateCall(vote, builder.CreateAnd(plain, side), "all");
    llvm::ValueToValueMapTy copies;
    BasicBlock* begin = copy_loop(loop, builder.GetInsertBlock(), is_left_greater ? ".above" : ".below", copies);
    for (const auto& [compare, turned] : sides.comparisons) {
      auto* known = llvm::cast<Instruction>(copies[compare]);
      known->replaceAllUsesWith(builder.getInt1(holds(*compare, is_left_greater != turned)));
      known->eraseFromParent();
    }
    auto* other = BasicBlock::Create(region.getContext(), "other", &region, loop.getHeader());
    builder.CreateCondBr(all, begin, other);
    loop.getHeader()->replacePhiUsesWith(builder.GetInsertBlock(), other);
    builder.SetInsertPoint(other);
    fold(copied(loop.getBlocks(), copies));
    headers.push_back(begin->getSingleSuccessor());
  }
  end->eraseFromParent();
  builder.CreateBr(loop.getHeader());
  return headers;
}

/// Finds loops that get copies.
class SidedLoops {
 public:
  SidedLoops(llvm::Function& region, Analyses& analyses) : region_(region), analyses_(analyses) {}

  /// Of the loop of `header`; `loop` is in any form.
  std::optional<Sides> sides(const Loop& loop) {
    auto& evolution = analyses_.functions().getResult<llvm::ScalarEvolutionAnalysis>(region_);
    const unsigned count = evolution.getSmallConstantTripCount(&loop);
    if (!count || !may_be_copied(loop) || !may_grow(region_)) return std::nullopt;
    auto found = sides_of(loop, evolution, analyses_.uniformity(region_));
    if (!found || found->comparisons.size() * count < kFewestComparisons) return std::nullopt;
    const bool chooses = chooses_loads(loop, *found, analyses_.functions().getResult<llvm::DominatorTreeAnalysis>(region_));
    return chooses ? found : std::nullopt;
  }

  llvm::SmallVector<BasicBlock*, 8> headers() {
    llvm::SmallVector<BasicBlock*, 8> found;
    for (const Loop* loop : analyses_.functions().getResult<llvm::LoopAnalysis>(region_).getLoopsInPreorder())
      if (loop->isInnermost() && sides(*loop)) found.push_back(loop->getHeader());
    return found;
  }

  /// The block whose branch parts lanes in front of `header`; null if there is none.
  BasicBlock* parting(BasicBlock& header) {
    llvm::UniformityInfo& uniformity = analyses_.uniformity(region_);
    const auto* node = analyses_.functions().getResult<llvm::DominatorTreeAnalysis>(region_).getNode(&header);
    while (node && (node = node->getIDom()))
      if (uniformity.hasDivergentTerminator(*node->getBlock())) return node->getBlock();
    return nullptr;
  }

 private:
  llvm::Function& region_;
  Analyses& analyses_;
};

/// Where a bound of the range parts lanes in front of the loops of `headers`, these get a copy for all lanes, in whose place they stand then: pieces of rows
/// are loaded where no lane is off.
void copy_behind_bounds(llvm::Function& region, llvm::MutableArrayRef<BasicBlock*> headers, ShapesOf shapes, SidedLoops& loops, Analyses& analyses) {
  for (BasicBlock*& header : headers) {
    BasicBlock* front = loops.parting(*header);
    const auto guarded = front ? guarded_by(*front, shapes(), kMostGuarded) : std::nullopt;
    if (!guarded || !guarded->blocks.contains(header)) continue;
    const auto copies = copy_for_all_lanes(region, *guarded);
    for (BasicBlock*& each : headers) {
      const auto at = llvm::find(guarded->blocks, each);
      if (at != guarded->blocks.end()) each = copies[static_cast<std::size_t>(at - guarded->blocks.begin())];
    }
    analyses.invalidate(region);
  }
}

}  // namespace

bool settle_sides(llvm::Function& region, const Specialization& specialization, unsigned lanes, llvm::function_ref<std::uint32_t(unsigned)> private_stride,
                  Analyses& analyses) {
  SidedLoops loops(region, analyses);
  auto headers = loops.headers();
  if (headers.empty()) return false;
  const auto shapes = [&] { return Shapes(region, specialization, lanes, private_stride); };
  copy_behind_bounds(region, headers, shapes, loops, analyses);
  for (BasicBlock* header : headers) {
    const Loop* loop = canonical_loop(*header, analyses);
    const auto sides = loop && loop->getLoopPreheader() ? loops.sides(*loop) : std::nullopt;
    if (!sides) continue;
    const auto copies = copy_for_sides(region, *loop, *sides, analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(region));
    for (BasicBlock* copy : copies) split_by_shared(region, *copy, shapes, analyses);
    analyses.invalidate(region);
  }
  return true;
}

}  // namespace weft::compiler::simt
