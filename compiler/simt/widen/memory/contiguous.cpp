// Strategy "contiguous".
// Matches: segments of lanes that access memory side by side, forwards or, of single elements, backwards; under a mask, too.
// Costs: the registers that hold all lanes' elements.
#include <llvm/Analysis/VectorUtils.h>

#include <numeric>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/memory/masked.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"
#include "compiler/target/costs.h"

namespace weft::compiler::simt {

using llvm::Value;
using target::kLineBytes;

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

/// Whether a segment of `bytes` goes past the caches.
bool may_stream(const Widening& w, const Access& access, std::uint64_t bytes) {
  return w.request.specialization.streams && !access.is_volatile && access.pointer->getType()->getPointerAddressSpace() == kGlobalSpace &&
         bytes % kLineBytes == 0;
}

/// Whole lines past the caches; where they are no whole lines, as always.
void stream_segment(Widening& w, const Access& access, Value* base, Value* block) {
  const auto plain = [&]() -> Parts {
    copy_alias_metadata(*w.builder.CreateAlignedStore(block, base, access.element_align), access.instruction);
    return {};
  };
  const auto streamed = [&]() -> Parts {
    const std::uint64_t bytes = w.traits.register_bits / 8;
    const auto each = static_cast<unsigned>(8 * bytes / block->getType()->getScalarSizeInBits());
    const unsigned count = llvm::cast<llvm::FixedVectorType>(block->getType())->getNumElements();
    llvm::MDNode* one = llvm::MDNode::get(w.context, llvm::ConstantAsMetadata::get(w.builder.getInt32(1)));
    for (unsigned first = 0; first < count; first += each) {
      llvm::SmallVector<int, 64> elements(each);
      std::iota(elements.begin(), elements.end(), static_cast<int>(first));
      Value* address = w.builder.CreateConstGEP1_64(block->getType()->getScalarType(), base, first);
      llvm::StoreInst* store = w.builder.CreateAlignedStore(w.builder.CreateShuffleVector(block, elements), address, llvm::Align(bytes));
      store->setMetadata(llvm::LLVMContext::MD_nontemporal, one);
      copy_alias_metadata(*store, access.instruction);
    }
    return {};
  };
  Value* at = w.builder.CreateAnd(w.builder.CreatePtrToInt(base, w.builder.getInt64Ty()), kLineBytes - 1);
  const TwoWays ways{.usual = "lines", .other = "not_lines", .join = "streamed"};
  emit_two_ways(w, w.builder.CreateICmpEQ(at, w.builder.getInt64(0)), ways, streamed, plain);
}

/// Of `value`, which is all lanes'.
void store_segment(Widening& w, const Access& access, unsigned lane, Value* value) {
  const unsigned segment = access.shape.segment;
  Value* base = segment_base(w, access, lane);
  Value* block = value;
  if (segment != w.lanes) {
    llvm::SmallVector<int, 64> elements;
    for (unsigned i = 0; i < segment * access.count; ++i) elements.push_back(static_cast<int>(lane * access.count + i));
    block = w.builder.CreateShuffleVector(value, elements);
  }
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
  else if (may_stream(w, access, segment * access.count * access.element_bytes))
    stream_segment(w, access, base, block);
  else
    copy_alias_metadata(*w.builder.CreateAlignedStore(block, base, access.element_align, access.is_volatile), access.instruction);
}

}  // namespace

std::optional<AccessPlan> plan_contiguous(Widening& w, const Access& access) {
  if (!access.shape.is_affine() || access.shape.checked || !access.bits) return std::nullopt;
  if (!access.is_contiguous() && !access.is_reversed()) return std::nullopt;
  AccessPlan plan{.cost = registers_of(w, access), .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access]() -> Parts {
    Value* value = access.is_load() ? nullptr : w.values.as_in_memory(access.value);
    llvm::SmallVector<Value*, 4> segments;
    for (unsigned lane = 0; lane < w.lanes; lane += access.shape.segment) {
      if (access.is_load())
        segments.push_back(load_segment(w, access, lane));
      else
        store_segment(w, access, lane, value);
    }
    if (!access.is_load()) return {};
    return {segments.size() == 1 ? segments.front() : llvm::concatenateVectors(w.builder, segments)};
  };
  return plan;
}

}  // namespace weft::compiler::simt
