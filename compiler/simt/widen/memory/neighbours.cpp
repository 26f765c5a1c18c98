// Strategy "neighbours".
// Matches: texels of images whose addresses nothing is known of, because they come from coordinates in floating point, and elements of
// buffers whose index is rounded to an integer, or comes from a list that lanes read side by side. Work-items side by side mostly read
// texels side by side all the same, and lists often name neighbours in order: the code looks, and then loads vectors; else a fall-back. Of a
// pair of texels, a vector of two less aligned than it is wide, the second is the next lane's first. Costs: what contiguous loads cost, and a
// comparison of vectors.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/analysis/shape_limits.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/texels.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Loads that lists place, in one region, which get two ways: of more the code would take long to make.
constexpr unsigned kMostListed = 16;

/// Whether all lanes run, and the `places` of each segment lie `step` apart. `is_any`: they may be any numbers; of narrow ones, those that
/// wrap around lie far apart.
Value* are_even(Widening& w, Value* places, unsigned segment, std::int64_t step, bool is_any) {
  llvm::SmallVector<int, 64> firsts;
  for (unsigned lane = 0; lane < w.lanes; ++lane) firsts.push_back(static_cast<int>(lane / segment * segment));
  Value* first = w.builder.CreateShuffleVector(places, firsts);
  Value* expected = w.builder.CreateAdd(first, w.lane_numbers(places->getType()->getScalarType(), segment, step));
  Value* even = w.builder.CreateICmpEQ(places, expected);
  if (const unsigned width = places->getType()->getScalarSizeInBits(); is_any && width < 64) {
    const llvm::APInt most = llvm::APInt::getSignedMaxValue(width) - static_cast<std::uint64_t>((segment - 1) * step);
    even = w.builder.CreateAnd(even, w.builder.CreateICmpSLE(first, llvm::ConstantInt::get(places->getType(), most)));
  }
  Value* holds = w.reduce(even, false);
  return w.mask ? w.builder.CreateAnd(w.reduce(w.mask.lanes(), false), holds) : holds;
}

/// Whether all lanes run, and those of each segment lie `bytes` apart.
Value* are_neighbours(Widening& w, const Access& access, unsigned segment, std::int64_t bytes) {
  const auto [places, unit] = texel_offsets(w, access);
  if (bytes % static_cast<std::int64_t>(unit)) return w.builder.getFalse();
  const std::int64_t step = bytes / static_cast<std::int64_t>(unit);
  if (!is_listed(w, access)) return are_even(w, places, segment, step, false);
  // Many lists are in no order: two lanes say so of most.
  Value* first = w.builder.CreateExtractElement(places, std::uint64_t{0});
  Value* distance = w.builder.CreateSub(w.builder.CreateExtractElement(places, segment - 1), first);
  const auto expected = static_cast<std::uint64_t>((segment - 1) * step);
  Value* may_be = w.builder.CreateICmpEQ(distance, llvm::ConstantInt::get(distance->getType(), expected));
  constexpr TwoWays kWays{.usual = "ordered", .other = "unordered", .join = "asked", .weighted = false};
  const auto ask_all = [&] { return Parts{are_even(w, places, segment, step, true)}; };
  return emit_two_ways(w, may_be, kWays, ask_all, [&] { return Parts{w.builder.getFalse()}; }).front();
}

/// `count` elements for each lane from `bytes` behind its address.
Value* load_neighbours(Widening& w, const Access& access, unsigned segment, unsigned count, std::uint64_t bytes) {
  llvm::SmallVector<Value*, 4> segments;
  for (unsigned lane = 0; lane < w.lanes; lane += segment) {
    auto* type = llvm::FixedVectorType::get(access.element, segment * count);
    Value* base = w.values.value_in_lane(access.pointer, lane);
    if (bytes) base = w.builder.CreateGEP(w.builder.getInt8Ty(), base, w.builder.getInt64(bytes));
    llvm::LoadInst* load = w.builder.CreateAlignedLoad(type, base, access.element_align);
    copy_alias_metadata(*load, access.instruction);
    segments.push_back(load);
  }
  return segments.size() == 1 ? segments.front() : llvm::concatenateVectors(w.builder, segments);
}

}  // namespace

bool has_few_lists(const Widening& w) {
  unsigned found = 0;
  for (llvm::Instruction& instruction : llvm::instructions(w.scalar))
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      if (const Access access(w, *load); !access.shape.is_affine() && is_listed(w, access)) ++found;
  return found <= kMostListed;
}

bool may_be_neighbours(const Widening& w, const Access& access) {
  const bool may_lie_evenly = is_texel(access) || rounds_evenly(w, access) || (w.memory.has_few_lists && is_listed(w, access));
  return may_lie_evenly && !access.is_volatile && !access.is_seldom && access.bits &&
         (!is_wider_than_aligned(access) || is_texel_pair(access)) && !access.shape.is_affine() && row_of_lanes(w) >= kShortestSegment;
}

Parts load_neighbours_or(Widening& w, const Access& access, llvm::function_ref<Parts()> other) {
  const bool pair = is_texel_pair(access);
  const unsigned segment = row_of_lanes(w);
  Value* holds = are_neighbours(w, access, segment, static_cast<std::int64_t>(access.element_bytes * (pair ? 1 : access.count)));
  constexpr TwoWays kWays{.usual = "neighbours", .other = "scattered", .join = "texels", .weighted = false};
  // In one form: of a pair a vector for each, else as memory has it.
  const auto together = [&] {
    if (!pair) return Parts{load_neighbours(w, access, segment, access.count, 0)};
    return Parts{load_neighbours(w, access, segment, 1, 0), load_neighbours(w, access, segment, 1, access.element_bytes)};
  };
  const auto apart = [&] {
    Parts parts = other();
    if (parts.size() == (pair ? 2u : 1u)) return parts;
    return pair ? deinterleave(w, parts.front(), 2) : Parts{interleave(w, parts)};
  };
  return emit_two_ways(w, holds, kWays, together, apart);
}

std::optional<AccessPlan> plan_neighbours(Widening& w, const Access& access) {
  if (!may_be_neighbours(w, access)) return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kRowPieces);
  if (!other) return std::nullopt;
  AccessPlan plan{.cost = registers_of(w, access), .emit = {}, .fall_back = "vectors where the lanes are neighbours, else " + other->fall_back};
  plan.emit = [&w, &access, other = std::move(other->emit)]() mutable {
    return load_neighbours_or(w, access, [&] { return other(); });
  };
  return plan;
}

}  // namespace weft::compiler::simt
