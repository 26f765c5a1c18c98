#include "compiler/simt/masks/settled_sides.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVectorExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/block_copies.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/masks/full_copy.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::SCEV;
using llvm::Value;

/// Comparisons that all iterations make, for what is asked once.
constexpr unsigned kFewestComparisons = 16;
/// Of a loop, and of a region after all.
constexpr unsigned kMostInstructions = 1200, kMostBlocks = 24, kMostOfRegion = 8000;
/// Behind a bound of the range: what is worth its compilation twice.
constexpr unsigned kMostGuarded = 3000;
/// Conditions that lanes share and copies are made for, one inside the other.
constexpr unsigned kMostConditions = 3;
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

/// Whether `value`, of `loop`, is chosen by one of `conditions`, or by what these are part of.
bool is_chosen(const Value& value, const Loop& loop, const llvm::SmallPtrSetImpl<const Value*>& conditions, unsigned steps = kMostSteps) {
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || !loop.contains(instruction) || !steps) return false;
  if (conditions.contains(instruction)) return true;
  if (!llvm::isa<llvm::SelectInst, llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction)) return false;
  return llvm::any_of(instruction->operands(), [&](const Value* operand) { return is_chosen(*operand, loop, conditions, steps - 1); });
}

/// Whether lanes load at places that the comparisons choose, or under a condition.
bool chooses_loads(const Loop& loop, const Sides& sides, const llvm::DominatorTree& dominators) {
  llvm::SmallPtrSet<const Value*, 16> conditions;
  for (const auto& comparison : sides.comparisons) conditions.insert(comparison.first);
  return llvm::any_of(loop.blocks(), [&](const BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& instruction) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || load->getPointerAddressSpace() != kGlobalSpace) return false;
      return !dominators.dominates(block, loop.getLoopLatch()) || is_chosen(*load->getPointerOperand(), loop, conditions);
    });
  });
}

bool may_be_copied(const Loop& loop) {
  if (loop.getNumBlocks() > kMostBlocks) return false;
  std::size_t instructions = 0;
  for (const BasicBlock* block : loop.blocks()) {
    instructions += block->sizeWithoutDebug();
    for (const Instruction& instruction : *block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && (call->isConvergent() || call->cannotDuplicate())) return false;
    }
  }
  return instructions <= kMostInstructions;
}

/// Copies `loop`, in LoopSimplify and LCSSA form, which begins behind `before`. Returns where the copy begins: an empty block, which nothing
/// leads to, whose only successor is the header.
BasicBlock* copy_loop(const Loop& loop, BasicBlock* before, const llvm::Twine& suffix, llvm::ValueToValueMapTy& copies) {
  BasicBlock* header = loop.getHeader();
  const llvm::SmallVector<BasicBlock*, 16> blocks(loop.blocks());
  clone_blocks(blocks, suffix, header, copies);
  join_copies(blocks, copies);
  auto* copy = llvm::cast<BasicBlock>(copies[header]);
  BasicBlock* begin = BasicBlock::Create(header->getContext(), "begin" + suffix, header->getParent(), copy);
  llvm::BranchInst::Create(copy, begin);
  for (llvm::PHINode& phi : copy->phis()) phi.replaceIncomingBlockWith(before, begin);
  return begin;
}

llvm::SmallVector<BasicBlock*, 16> copied(llvm::ArrayRef<BasicBlock*> blocks, const llvm::ValueToValueMapTy& copies) {
  return llvm::map_to_vector<16>(blocks, [&](BasicBlock* block) { return llvm::cast<BasicBlock>(static_cast<Value*>(copies.lookup(block))); });
}

/// What becomes of `blocks` where conditions have become constants.
void fold(llvm::ArrayRef<BasicBlock*> blocks) {
  for (BasicBlock* block : blocks) {
    llvm::SimplifyInstructionsInBlock(block);
    llvm::ConstantFoldTerminator(block, /*DeleteDeadConditions=*/true);
  }
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

/// A condition that all lanes share, of a branch or a choice in `loop`; null if there is none.
Value* shared_condition(const Loop& loop, const llvm::UniformityInfo& uniformity) {
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block) {
      Value* condition = nullptr;
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction); branch && branch->isConditional()) condition = branch->getCondition();
      else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) condition = select->getCondition();
      if (!condition || condition->getType()->isVectorTy() || llvm::isa<llvm::Constant>(condition)) continue;
      if (loop.isLoopInvariant(condition) && !uniformity.isDivergent(condition)) return condition;
    }
  return nullptr;
}

void settle(llvm::ArrayRef<BasicBlock*> blocks, const Value& condition, bool holds) {
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block)
      for (llvm::Use& operand : instruction.operands())
        if (operand == &condition) operand.set(llvm::ConstantInt::getBool(condition.getContext(), holds));
  fold(blocks);
}

/// Gives `loop`, in LoopSimplify and LCSSA form, a copy where `condition` does not hold. Returns its header.
BasicBlock* copy_for_otherwise(Loop& loop, Value& condition) {
  BasicBlock *before = loop.getLoopPreheader(), *header = loop.getHeader();
  llvm::ValueToValueMapTy copies;
  BasicBlock* begin = copy_loop(loop, before, ".otherwise", copies);
  auto* own = BasicBlock::Create(header->getContext(), "own", header->getParent(), header);
  llvm::BranchInst::Create(header, own);
  Instruction* end = before->getTerminator();
  llvm::IRBuilder<>(end).CreateCondBr(&condition, own, begin);
  end->eraseFromParent();
  header->replacePhiUsesWith(before, own);
  settle(copied(loop.getBlocks(), copies), condition, false);
  settle(llvm::SmallVector<BasicBlock*, 16>(loop.blocks()), condition, true);
  return begin->getSingleSuccessor();
}

/// An index as a sum of 64 bits, which nothing wraps around.
struct Sum {
  llvm::SmallVector<const Value*, 4> parts;
  std::int64_t constant = 0;

  void add(const Value& value, unsigned steps = kMostSteps) {
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value);
    const auto* last = sum ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
    const auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&value);
    if (number) {
      constant += number->getSExtValue();
    } else if (steps && sum && sum->getOpcode() == Instruction::Add && sum->hasNoSignedWrap()) {
      add(*sum->getOperand(0), steps - 1);
      add(*sum->getOperand(1), steps - 1);
    } else if (steps && either && either->isDisjoint() && last && !last->isNegative()) {
      constant += last->getSExtValue();
      add(*either->getOperand(0), steps - 1);
    } else {
      parts.push_back(&value);
    }
  }
};

/// Loads in `block` at a constant distance from one in front of them are of that place and a constant: as differences of what is extended to 64 bits,
/// neighbours in a row would not be seen.
void tie_places(BasicBlock& block) {
  struct Place {
    llvm::GetElementPtrInst* pointer;
    Sum index;
  };
  llvm::SmallVector<Place, 8> first;
  for (Instruction& instruction : block) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    auto* pointer = load ? llvm::dyn_cast<llvm::GetElementPtrInst>(load->getPointerOperand()) : nullptr;
    if (!pointer || pointer->getParent() != &block || pointer->getNumIndices() != 1) continue;
    const auto* index = llvm::dyn_cast<llvm::SExtInst>(pointer->getOperand(1));
    if (!index || load->getPointerAddressSpace() != kGlobalSpace) continue;
    Place place{pointer, {}};
    place.index.add(*index->getOperand(0));
    llvm::sort(place.index.parts);
    const auto* same = llvm::find_if(first, [&](const Place& each) {
      return each.pointer->getPointerOperand() == pointer->getPointerOperand() && each.pointer->getSourceElementType() == pointer->getSourceElementType() &&
             each.index.parts == place.index.parts;
    });
    if (same == first.end()) {
      first.push_back(std::move(place));
      continue;
    }
    llvm::IRBuilder<> builder(load);
    const std::int64_t distance = place.index.constant - same->index.constant;
    load->setOperand(0, builder.CreateGEP(pointer->getSourceElementType(), same->pointer, builder.getInt64(static_cast<std::uint64_t>(distance))));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(pointer);
  }
}

using ShapesOf = llvm::function_ref<Shapes()>;

/// Whether lanes load what are no neighbours, as far as one can see.
bool loads_apart(const Loop& loop, const Shapes& shapes) {
  return llvm::any_of(loop.blocks(), [&](const BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& instruction) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || load->getPointerAddressSpace() != kGlobalSpace) return false;
      const Shape shape = shapes[*load->getPointerOperand()];
      const auto bytes = static_cast<std::int64_t>(load->getDataLayout().getTypeStoreSize(load->getType()).getFixedValue());
      return !shape.is_affine() || std::abs(shape.stride) > bytes;
    });
  });
}

/// Gives the loop of `header`, if lanes load apart in it, copies for what all lanes share, and these for what is left.
void split_by_shared(llvm::Function& region, BasicBlock& header, ShapesOf shapes, Analyses& analyses, unsigned depth = 0) {
  llvm::removeUnreachableBlocks(region);
  analyses.invalidate(region);
  Loop* loop = canonical_loop(header, analyses);
  if (!loop || !loads_apart(*loop, shapes())) return;
  const bool may_split = depth < kMostConditions && may_be_copied(*loop) && region.getInstructionCount() <= kMostOfRegion;
  Value* condition = may_split ? shared_condition(*loop, analyses.uniformity(region)) : nullptr;
  if (condition) {
    for (BasicBlock* each : {&header, copy_for_otherwise(*loop, *condition)}) split_by_shared(region, *each, shapes, analyses, depth + 1);
    return;
  }
  llvm::for_each(loop->blocks(), [](BasicBlock* block) { tie_places(*block); });
}

/// Finds loops that get copies.
class SidedLoops {
 public:
  SidedLoops(llvm::Function& region, Analyses& analyses) : region_(region), analyses_(analyses) {}

  /// Of the loop of `header`; `loop` is in any form.
  std::optional<Sides> sides(const Loop& loop) {
    auto& evolution = analyses_.functions().getResult<llvm::ScalarEvolutionAnalysis>(region_);
    const unsigned count = evolution.getSmallConstantTripCount(&loop);
    if (!count || !may_be_copied(loop) || region_.getInstructionCount() > kMostOfRegion) return std::nullopt;
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
