#include "compiler/simt/masks/settled_sides.h"

#include <llvm/ADT/STLExtras.h>
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
#include "compiler/simt/item/unroll_reading_loops.h"
#include "compiler/simt/masks/full_copy.h"
#include "compiler/simt/masks/shared_sides.h"
#include "compiler/simt/masks/sided_loops.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::SCEV;
using llvm::Value;

/// Behind a bound of the range: what is worth its compilation twice.
constexpr unsigned kMostGuarded = 3000;

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
llvm::SmallVector<BasicBlock*, 3> copy_for_sides(llvm::Function& region, const Loop& loop, const Sides& sides, llvm::ScalarEvolution& evolution) {
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

  llvm::SmallVector<BasicBlock*, 3> headers;
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
    return sides_of(loop, evolution, analyses_.uniformity(region_), analyses_.functions().getResult<llvm::DominatorTreeAnalysis>(region_));
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

/// Unrolls loops that have been kept, as programs ask for, but for those of `headers`. Returns whether it did.
bool unroll_kept(llvm::Function& region, llvm::ArrayRef<BasicBlock*> headers, Analyses& analyses) {
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  llvm::SmallVector<BasicBlock*, 4> others;
  for (const Loop* loop : manager.getResult<llvm::LoopAnalysis>(region).getLoopsInPreorder())
    if (is_kept(*loop) && !llvm::is_contained(headers, loop->getHeader())) others.push_back(loop->getHeader());
  for (BasicBlock* header : others)
    if (Loop* loop = canonical_loop(*header, analyses))
      if (const unsigned count = manager.getResult<llvm::ScalarEvolutionAnalysis>(region).getSmallConstantTripCount(loop))
        unroll_completely(region, *loop, count, analyses);
  return !others.empty();
}

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
  const bool unrolled = unroll_kept(region, headers, analyses);
  if (headers.empty()) {
    forget_sided_loops(region);
    return unrolled;
  }
  const auto shapes = [&] { return Shapes(region, specialization, lanes, private_stride); };
  copy_behind_bounds(region, headers, shapes, loops, analyses);
  for (BasicBlock* header : headers) {
    const Loop* loop = canonical_loop(*header, analyses);
    const auto sides = loop && loop->getLoopPreheader() ? loops.sides(*loop) : std::nullopt;
    if (!sides) continue;
    const bool was_kept = is_kept(*loop);
    auto copies = copy_for_sides(region, *loop, *sides, analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(region));
    if (was_kept) copies.push_back(header);
    for (BasicBlock* copy : copies) split_by_shared(region, *copy, shapes, was_kept, analyses);
    analyses.invalidate(region);
  }
  forget_sided_loops(region);
  return true;
}

}  // namespace weft::compiler::simt
