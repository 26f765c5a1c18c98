// Strategy "contiguous".
// Matches: segments of lanes that access memory side by side, forwards or, of single elements, backwards; under a mask, too.
// Costs: the registers that hold all lanes' elements.
#include <llvm/Analysis/VectorUtils.h>

#include "compiler/simt/widen/memory/masked.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/streams.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Where the elements of the segment from `lane` on begin.
Value* segment_base(Widening& w, const Access& access, unsigned lane) {
  Value* base = w.values.scalar_at(access.pointer, lane);
  if (!access.is_reversed()) return base;
  const std::int64_t to_last = access.shape.stride * (access.shape.segment - 1);
  return w.builder.CreateGEP(w.builder.getInt8Ty(), base, w.builder.getInt64(static_cast<std::uint64_t>(to_last)));
}

Value* load_segment(Widening& w, const Access& access, unsigned lane) {
  const unsigned segment = access.shape.segment;
  auto* type = llvm::FixedVectorType::get(access.element, segment * access.count);
  Value* base = segment_base(w, access, lane);
  llvm::Type* word = w.mask ? as_word(w, access.element, access.count) : nullptr;
  Value* live = w.mask.segment(lane, segment, word ? 1 : access.count);
  if (live && access.is_reversed()) live = w.builder.CreateVectorReverse(live);
  if (live && access.is_volatile) keep_apart(w);
  Value* block = nullptr;
  if (live) {
    block = load_some(w, access, word ? llvm::FixedVectorType::get(word, segment) : type, base, live, segment == w.lanes);
  } else {
    llvm::LoadInst* load =
        w.builder.CreateAlignedLoad(type, base, access.element_align, access.is_volatile, access.instruction.getName());
    copy_alias_metadata(*load, access.instruction);
    block = load;
  }
  Value* value = w.builder.CreateBitCast(block, type);
  return access.is_reversed() ? w.builder.CreateVectorReverse(value) : value;
}

/// The elements of `value`, which is all lanes', from `lane` on.
Value* block_of(Widening& w, const Access& access, unsigned lane, Value* value) {
  const unsigned segment = access.shape.segment;
  if (segment == w.lanes) return value;
  llvm::SmallVector<int, 64> elements;
  for (unsigned i = 0; i < segment * access.count; ++i) elements.push_back(static_cast<int>(lane * access.count + i));
  return w.builder.CreateShuffleVector(value, elements);
}

void store_segment(Widening& w, const Access& access, unsigned lane, Value* value, Value* base) {
  const unsigned segment = access.shape.segment;
  Value* block = block_of(w, access, lane, value);
  llvm::Type* word = w.mask ? as_word(w, access.element, access.count) : nullptr;
  if (word) block = w.builder.CreateBitCast(block, llvm::FixedVectorType::get(word, segment));
  Value* live = w.mask.segment(lane, segment, word ? 1 : access.count);
  if (access.is_reversed()) {
    block = w.builder.CreateVectorReverse(block);
    if (live) live = w.builder.CreateVectorReverse(live);
  }
  if (live && access.is_volatile) keep_apart(w);
  if (live)
    store_some(w, access, block, base, live);
  else
    copy_alias_metadata(*w.builder.CreateAlignedStore(block, base, access.element_align, access.is_volatile), access.instruction);
}

void store_segments(Widening& w, const Access& access) {
  const unsigned segment = access.shape.segment;
  Value* value = w.values.as_in_memory(access.value);
  if (w.mask || access.is_reversed() || !may_stream(w, access, segment * access.count * access.element_bytes)) {
    for (unsigned lane = 0; lane < w.lanes; lane += segment) store_segment(w, access, lane, value, segment_base(w, access, lane));
    return;
  }
  llvm::SmallVector<Value*, 16> bases;
  for (unsigned lane = 0; lane < w.lanes; lane += segment) bases.push_back(segment_base(w, access, lane));
  const auto streamed = [&] {
    for (unsigned i = 0; i < bases.size(); ++i) store_past_caches(w, access, block_of(w, access, i * segment, value), bases[i]);
  };
  const auto plain = [&] {
    for (unsigned i = 0; i < bases.size(); ++i) store_segment(w, access, i * segment, value, bases[i]);
  };
  stream_or(w, bases, streamed, plain);
}

}  // namespace

std::optional<AccessPlan> plan_contiguous(Widening& w, const Access& access) {
  if (!access.shape.is_affine() || access.shape.checked || !access.bits) return std::nullopt;
  if (!access.is_contiguous() && !access.is_reversed()) return std::nullopt;
  AccessPlan plan{.cost = registers_of(w, access), .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access]() -> Parts {
    if (!access.is_load()) {
      store_segments(w, access);
      return {};
    }
    llvm::SmallVector<Value*, 4> segments;
    for (unsigned lane = 0; lane < w.lanes; lane += access.shape.segment) segments.push_back(load_segment(w, access, lane));
    return {segments.size() == 1 ? segments.front() : llvm::concatenateVectors(w.builder, segments)};
  };
  return plan;
}

}  // namespace weft::compiler::simt
