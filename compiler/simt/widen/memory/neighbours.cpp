// Strategy "neighbours".
// Matches: texels of images whose addresses nothing is known of, because they come from coordinates in floating point. Work-items
// side by side mostly read texels side by side all the same: the code looks, and then loads vectors; else a fall-back. Of a pair
// of texels, a vector of two less aligned than it is wide, the second is the next lane's first.
// Costs: what contiguous loads cost, and a comparison of vectors.
#include <llvm/Analysis/VectorUtils.h>

#include <bit>

#include "compiler/simt/analysis/shape_limits.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

bool is_texel(const Access& access) {
  return access.is_load() && access.pointer->getType()->getPointerAddressSpace() == kConstantSpace &&
         access.instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

/// Lanes whose work-items lie side by side along x.
unsigned row_of_lanes(const Widening& w) {
  const std::uint32_t width = w.request.specialization.local_size[0];
  return width ? std::min(w.lanes, 1u << std::countr_zero(width)) : 0;
}

/// The addresses of all lanes as integers, as narrow as they come: what they are counted from is the same in all lanes.
Value* offsets(Widening& w, Value* pointer) {
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
      gep && gep->getNumIndices() == 1 && gep->getSourceElementType()->isIntegerTy(8) && w.is_uniform(gep->getPointerOperand())) {
    Value* index = gep->getOperand(1);
    if (auto* extension = llvm::dyn_cast<llvm::SExtInst>(index)) index = extension->getOperand(0);
    return w.values.vector1(index);
  }
  return w.builder.CreatePtrToInt(w.values.vector1(pointer), w.wide(w.builder.getInt64Ty()));
}

/// Whether all lanes run, and those of each segment lie `bytes` apart.
Value* are_neighbours(Widening& w, Value* pointer, unsigned segment, std::int64_t bytes) {
  Value* places = offsets(w, pointer);
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

bool is_wider_than_aligned(const Access& access) { return access.align.value() * 8 < access.bits; }
bool is_pair(const Access& access) { return access.count == 2 && is_wider_than_aligned(access); }

}  // namespace

std::optional<AccessPlan> plan_neighbours(Widening& w, const Access& access) {
  const unsigned segment = row_of_lanes(w);
  if (!is_texel(access) || access.is_volatile || access.is_seldom ||
      !access.bits || (is_wider_than_aligned(access) && !is_pair(access)) || access.shape.is_affine() || segment < kShortestSegment)
    return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kNeighbours);
  if (!other) return std::nullopt;
  AccessPlan plan{.cost = registers_of(w, access), .emit = {}, .fall_back = "vectors where the lanes are neighbours, else " + other->fall_back};
  plan.emit = [&w, &access, segment, other = std::move(other->emit)]() mutable {
    const bool pair = is_pair(access);
    Value* holds = are_neighbours(w, access.pointer, segment, static_cast<std::int64_t>(access.element_bytes * (pair ? 1 : access.count)));
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
  };
  return plan;
}

}  // namespace weft::compiler::simt
