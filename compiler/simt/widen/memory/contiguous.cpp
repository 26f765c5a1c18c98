// Strategy "contiguous".
// Matches: segments of lanes that access memory side by side, forwards or backwards; under a mask, too. Backwards go OpenCL vectors whose lanes change
// places in registers: pixels of three bytes where any bytes do (mirrored pictures).
// Costs: the registers that hold all lanes' elements.
#include <llvm/Analysis/VectorUtils.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/memory/masked.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/streams.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Bytes of a lane's from which on it stores for itself where masks have no registers: a masked store takes 10 ns (masked.cpp), a lane one.
constexpr std::uint64_t kFewestOwnBytes = 8;
/// Lanes whose mask is a word of the processor: the next one that is on is an instruction away.
constexpr unsigned kMostVisited = 64;

/// Whether lanes lie side by side, the last one first.
bool is_reversed(const Access& access) { return access.shape.stride == -static_cast<std::int64_t>(access.element_bytes * access.count); }

/// `value`, of as many elements a lane as `access` has, with the last lane first.
Value* reversed(Widening& w, const Access& access, Value* value) {
  if (access.count == 1) return w.builder.CreateVectorReverse(value);
  const auto lanes = llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements() / access.count;
  llvm::SmallVector<int, 256> elements;
  for (unsigned lane = lanes; lane-- > 0;)
    for (unsigned i = 0; i < access.count; ++i) elements.push_back(static_cast<int>(lane * access.count + i));
  return w.builder.CreateShuffleVector(value, elements);
}

/// Where the elements of the segment from `lane` on begin.
Value* segment_base(Widening& w, const Access& access, unsigned lane) {
  Value* base = w.values.scalar_at(access.pointer, lane);
  if (!is_reversed(access)) return base;
  const std::int64_t to_last = access.shape.stride * (access.shape.segment - 1);
  return w.builder.CreateGEP(w.builder.getInt8Ty(), base, w.builder.getInt64(static_cast<std::uint64_t>(to_last)));
}

Value* load_segment(Widening& w, const Access& access, unsigned lane) {
  const unsigned segment = access.shape.segment;
  auto* type = llvm::FixedVectorType::get(access.element, segment * access.count);
  Value* base = segment_base(w, access, lane);
  llvm::Type* word = w.mask ? as_word(w, access.element, access.count) : nullptr;
  Value* live = w.mask.segment(lane, segment, word ? 1 : access.count);
  if (live && is_reversed(access)) live = w.builder.CreateVectorReverse(live);
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
  return is_reversed(access) ? reversed(w, access, value) : value;
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
  if (is_reversed(access)) block = reversed(w, access, block);
  llvm::Type* word = w.mask ? as_word(w, access.element, access.count) : nullptr;
  if (word) block = w.builder.CreateBitCast(block, llvm::FixedVectorType::get(word, segment));
  Value* live = w.mask.segment(lane, segment, word ? 1 : access.count);
  if (live && is_reversed(access)) live = w.builder.CreateVectorReverse(live);
  if (live && access.is_volatile) keep_apart(w);
  if (live)
    store_some(w, access, block, base, live);
  else
    copy_alias_metadata(*w.builder.CreateAlignedStore(block, base, access.element_align, access.is_volatile), access.instruction);
}

/// All lanes' pixels of three narrow channels. LLVM takes a vector of three times as many elements as a register has apart, element by
/// element, where it crosses from one block to another, as it does in front of code for indices that wrap around. Where it does not, and
/// bytes have no permutations by registers, LLVM's own way to interleave three is better.
bool are_pixels(const Widening& w, const Access& access) {
  if (!w.traits.byte_permutes && (is_reversed(access) || !w.shape(access.pointer).checked)) return false;
  return access.count == 3 && access.element_bytes < 4 && !access.is_volatile && llvm::isPowerOf2_32(access.shape.segment);
}

/// Whether registers can turn round what lanes access that lie the last one first.
bool may_reverse(const Widening& w, const Access& access) { return llvm::isPowerOf2_32(access.count) || are_pixels(w, access); }

/// The lane of a segment whose pixel has number `element` of the segment's in memory.
unsigned lane_of_pixel(const Access& access, unsigned element) {
  const unsigned pixel = element / 3;
  return is_reversed(access) ? access.shape.segment - 1 - pixel : pixel;
}

/// Of pixels that lie the last lane's first, each channel, out of pieces of as many elements as a segment has lanes.
Parts load_reversed_pixels(Widening& w, const Access& access) {
  const unsigned segment = access.shape.segment;
  auto* type = llvm::FixedVectorType::get(access.element, segment);
  llvm::SmallVector<llvm::SmallVector<Value*, 4>, 3> channels(3);
  for (unsigned begin = 0; begin < w.lanes; begin += segment) {
    Value* base = segment_base(w, access, begin);
    Value* live = w.mask ? w.mask.lanes() : nullptr;
    llvm::SmallVector<Value*, 3> pieces;
    for (unsigned piece = 0; piece < 3; ++piece) {
      Value* place = w.builder.CreateConstGEP1_64(w.builder.getInt8Ty(), base, piece * segment * access.element_bytes);
      llvm::SmallVector<int, 64> lanes;
      for (unsigned i = 0; i < segment; ++i) lanes.push_back(static_cast<int>(begin + lane_of_pixel(access, piece * segment + i)));
      if (live) {
        pieces.push_back(w.builder.CreateMaskedLoad(type, place, access.element_align, w.builder.CreateShuffleVector(live, lanes), llvm::PoisonValue::get(type)));
        continue;
      }
      llvm::LoadInst* load = w.builder.CreateAlignedLoad(type, place, access.element_align, access.instruction.getName());
      copy_alias_metadata(*load, access.instruction);
      pieces.push_back(load);
    }
    llvm::SmallVector<llvm::SmallVector<int, 64>, 3> of_two(3, llvm::SmallVector<int, 64>(segment, llvm::PoisonMaskElem)), of_three = of_two;
    for (unsigned element = 0; element < 3 * segment; ++element) {
      const unsigned lane = lane_of_pixel(access, element), channel = element % 3;
      const bool is_last = element >= 2 * segment;
      if (!is_last) of_two[channel][lane] = static_cast<int>(element);
      of_three[channel][lane] = static_cast<int>(is_last ? element - segment : lane);
    }
    for (unsigned channel = 0; channel < 3; ++channel)
      channels[channel].push_back(w.builder.CreateShuffleVector(w.builder.CreateShuffleVector(pieces[0], pieces[1], of_two[channel]), pieces[2], of_three[channel]));
  }
  Parts parts;
  for (const auto& segments : channels) parts.push_back(segments.size() == 1 ? segments.front() : llvm::concatenateVectors(w.builder, segments));
  return parts;
}

/// Stores them in pieces of as many elements as a segment has lanes.
void store_pixels(Widening& w, const Access& access) {
  constexpr TwoWays kWays{.usual = "whole", .other = "some", .join = "join"};
  const unsigned segment = access.shape.segment;
  const Parts channels = w.values.vector(access.value);
  /// The pieces of the segment from `begin` on.
  const auto store_pixels_of = [&](unsigned begin, Value* base, Value* live) {
    llvm::SmallVector<int, 64> own;
    for (unsigned i = 0; i < segment; ++i) own.push_back(static_cast<int>(begin + i));
    Value* last = w.builder.CreateShuffleVector(channels[2], own);
    for (unsigned piece = 0; piece < 3; ++piece) {
      llvm::SmallVector<int, 64> two, three, lanes;
      for (unsigned i = 0; i < segment; ++i) {
        const unsigned element = piece * segment + i, lane = lane_of_pixel(access, element), channel = element % 3;
        lanes.push_back(static_cast<int>(begin + lane));
        two.push_back(channel == 2 ? -1 : static_cast<int>(channel * w.lanes + begin + lane));
        three.push_back(static_cast<int>(channel == 2 ? segment + lane : i));
      }
      Value* block = w.builder.CreateShuffleVector(w.builder.CreateShuffleVector(channels[0], channels[1], two), last, three);
      Value* place = w.builder.CreateConstGEP1_64(w.builder.getInt8Ty(), base, piece * segment * access.element_bytes);
      llvm::Instruction* store = live ? static_cast<llvm::Instruction*>(w.builder.CreateMaskedStore(
                                            block, place, access.element_align, w.builder.CreateShuffleVector(live, lanes)))
                                      : w.builder.CreateAlignedStore(block, place, access.element_align);
      copy_alias_metadata(*store, access.instruction);
    }
  };
  llvm::SmallVector<Value*, 4> bases;
  for (unsigned lane = 0; lane < w.lanes; lane += segment) bases.push_back(segment_base(w, access, lane));
  const auto store_pieces = [&](Value* live) {
    for (unsigned i = 0; i < bases.size(); ++i) store_pixels_of(i * segment, bases[i], live);
    return Parts{};
  };
  if (!w.mask) {
    store_pieces(nullptr);
    return;
  }
  const bool has_masks = w.traits.mask_registers && access.element_bytes >= w.traits.masked_bytes;
  emit_two_ways(
      w, w.reduce(w.mask.lanes(), false), kWays, [&] { return store_pieces(nullptr); },
      [&] { return has_masks ? store_pieces(w.mask.lanes()) : emit_otherwise(w, access); });
}

/// Whether lanes that are on store for themselves where others are off: without mask registers, several words a lane in memory that others see. Where
/// the compiler knows which lanes those are, it needs no masks.
bool stores_by_lane(const Widening& w, const Access& access) {
  const std::uint64_t bytes = access.count * access.element_bytes;
  return w.mask && !w.mask.known_lanes() && !w.traits.mask_registers && access.count > 1 && bytes >= kFewestOwnBytes && !access.is_volatile && !is_reversed(access) &&
         w.lanes <= kMostVisited && access.shape.segment == w.lanes && access.pointer->getType()->getPointerAddressSpace() != kLocalSpace;
}

void store_by_lane(Widening& w, const Access& access) {
  constexpr TwoWays kWays{.usual = "whole", .other = "lanes", .join = "join"};
  Value* value = w.values.as_in_memory(access.value);
  Value* base = segment_base(w, access, 0);
  const auto pieces = field_pieces((std::uint64_t{1} << access.count) - 1, w.traits.register_bits / 8 / static_cast<unsigned>(access.element_bytes));
  const auto whole = [&] {
    copy_alias_metadata(*w.builder.CreateAlignedStore(value, base, access.element_align), access.instruction);
    return Parts{};
  };
  const auto lanes = [&] {
    store_live_lanes(w, access, value, base, pieces);
    return Parts{};
  };
  emit_two_ways(w, w.reduce(w.mask.lanes(), false), kWays, whole, lanes);
}

void store_segments(Widening& w, const Access& access) {
  if (stores_by_lane(w, access)) return store_by_lane(w, access);
  const unsigned segment = access.shape.segment;
  const bool streams = !w.mask && may_stream(w, access, segment * access.count * access.element_bytes);
  if (are_pixels(w, access) && !streams) return store_pixels(w, access);
  Value* value = w.values.as_in_memory(access.value);
  if (w.mask || is_reversed(access) || !may_stream(w, access, segment * access.count * access.element_bytes)) {
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
  if (!access.is_contiguous() && !(is_reversed(access) && may_reverse(w, access))) return std::nullopt;
  AccessPlan plan{.cost = registers_of(w, access), .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access]() -> Parts {
    if (!access.is_load()) {
      store_segments(w, access);
      return {};
    }
    if (is_reversed(access) && are_pixels(w, access)) return load_reversed_pixels(w, access);
    llvm::SmallVector<Value*, 4> segments;
    for (unsigned lane = 0; lane < w.lanes; lane += access.shape.segment) segments.push_back(load_segment(w, access, lane));
    return {segments.size() == 1 ? segments.front() : llvm::concatenateVectors(w.builder, segments)};
  };
  return plan;
}

}  // namespace weft::compiler::simt
