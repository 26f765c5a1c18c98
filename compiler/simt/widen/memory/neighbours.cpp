// Strategy "neighbours".
// Matches: texels of images whose addresses nothing is known of, because they come from coordinates in floating point, and elements of
// buffers whose index is rounded to an integer. Work-items side by side mostly read texels side by side all the same: the code looks, and
// then loads vectors; else a fall-back. Of a pair of texels, a vector of two less aligned than it is wide, the second is the next lane's
// first. Costs: what contiguous loads cost, and a comparison of vectors.
#include <llvm/Analysis/VectorUtils.h>

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

/// Whether all lanes run, and those of each segment lie `bytes` apart.
Value* are_neighbours(Widening& w, const Access& access, unsigned segment, std::int64_t bytes) {
  const auto [places, unit] = texel_offsets(w, access);
  if (bytes % static_cast<std::int64_t>(unit)) return w.builder.getFalse();
  bytes /= static_cast<std::int64_t>(unit);
  llvm::SmallVector<int, 64> firsts;
  for (unsigned lane = 0; lane < w.lanes; ++lane) firsts.push_back(static_cast<int>(lane / segment * segment));
  Value* expected = w.builder.CreateAdd(w.builder.CreateShuffleVector(places, firsts),
                                        w.lane_numbers(places->getType()->getScalarType(), segment, bytes));
  Value* holds = w.reduce(w.builder.CreateICmpEQ(places, expected), false);
  return w.mask ? w.builder.CreateAnd(w.reduce(w.mask.lanes(), false), holds) : holds;
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

bool may_be_neighbours(const Widening& w, const Access& access) {
  return (is_texel(access) || rounds_evenly(w, access)) && !access.is_volatile && !access.is_seldom && access.bits &&
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
