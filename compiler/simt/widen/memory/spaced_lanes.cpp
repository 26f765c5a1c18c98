// Strategy "spaced-lanes".
// Matches: numbers, and OpenCL vectors of their size, of 32 or 64 bits, of lanes that all run and lie evenly apart, further than whole
// vectors reach: columns of a tile, or a row's every n-th element. Stores, and loads of lanes that repeat, of which the first are loaded
// alone. Each lane has an access of its own, whose address is another's and a number: no vector of addresses is made, and none taken apart.
// On the processors of target/costs.h 16 such loads take 8 cycles and stores 8, a gather 13 to 18 and a scatter 18 to 26.
// Costs: an access for each lane that differs.
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/memory/gather.h"
#include "compiler/simt/analysis/lane_repeats.h"
#include "compiler/simt/widen/memory/lane_by_lane.h"
#include "compiler/simt/widen/memory/progressions.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// The fewest lanes whose addresses one scalar has.
constexpr unsigned kFewestInSegment = 4;
/// Lanes of accesses written out, after which a processor that has scatters stores by these: a structure of 65 words took LLVM 0.35 s.
constexpr unsigned kMostLanesStored = 512;

Value* load(Widening& w, const Access& access, llvm::Type* word, unsigned different) {
  Value* loaded = llvm::PoisonValue::get(llvm::FixedVectorType::get(word, different));
  for (const auto& [lane, address] : llvm::enumerate(addresses_of_lanes(w, access, different))) {
    llvm::LoadInst* one = w.builder.CreateAlignedLoad(word, address, access.align, access.instruction.getName());
    copy_alias_metadata(*one, access.instruction);
    loaded = w.builder.CreateInsertElement(loaded, one, lane);
  }
  if (different == w.lanes) return loaded;
  llvm::SmallVector<int, 256> repeated;
  for (unsigned lane = 0; lane < w.lanes; ++lane) repeated.push_back(static_cast<int>(lane % different));
  return w.builder.CreateShuffleVector(loaded, repeated);
}

void store(Widening& w, const Access& access, llvm::Type* word) {
  Value* words = w.values.as_in_memory(access.value);
  if (access.type->isVectorTy()) words = w.builder.CreateBitCast(words, w.wide(word));
  for (const auto& [lane, address] : llvm::enumerate(addresses_of_lanes(w, access, w.lanes))) {
    llvm::StoreInst* one = w.builder.CreateAlignedStore(w.builder.CreateExtractElement(words, lane), address, access.align);
    copy_alias_metadata(*one, access.instruction);
  }
}

bool lies_evenly(Widening& w, const Access& access) {
  const Shape& shape = access.shape;
  if (shape.is_affine()) return !shape.checked && shape.segment >= kFewestInSegment && shape.stride != 0;
  return Progressions(w, w.lanes).is_one(*access.pointer);
}

}  // namespace

std::optional<AccessPlan> plan_spaced_lanes(Widening& w, const Access& access) {
  if (w.mask || access.is_volatile || access.is_seldom || (access.bits != 32 && access.bits != 64)) return std::nullopt;
  if (is_one_of_many(w, access) || !lies_evenly(w, access)) return std::nullopt;
  if (!access.is_load() && w.traits.native_scatter && w.memory.lanes_written_out >= kMostLanesStored) return std::nullopt;
  llvm::Type* word = access.type->isVectorTy() ? w.builder.getIntNTy(access.bits) : access.type;
  const unsigned different = access.is_load() ? repeats_after(*access.pointer, w.shapes, w.request.specialization) : w.lanes;
  // Putting all lanes' numbers together takes what computes with them: SHA-256 of blocks of 64 bytes took 10 % longer.
  if (access.is_load() && different == w.lanes && gathers(w, access)) return std::nullopt;
  AccessPlan plan{.cost = different, .emit = {}, .fall_back = "one lane after the other, evenly apart"};
  plan.emit = [&w, &access, word, different]() -> Parts {
    w.memory.lanes_written_out += different;
    if (!access.is_load()) return store(w, access, word), Parts{};
    Value* loaded = load(w, access, word, different);
    return {access.type->isVectorTy() ? w.builder.CreateBitCast(loaded, w.packed_type(access.type)) : loaded};
  };
  return plan;
}

}  // namespace weft::compiler::simt
