#include "device/counters/scattered.h"

#include <bit>
#include <cstring>

#include "device/counters/processor.h"

namespace weft::device::counters {

namespace {

/// Lanes mark their sectors in a table of bits; two in one place might be the same.
unsigned different_sectors(const std::uint64_t* address, std::uint32_t mask) {
  constexpr unsigned kBits = 12;
  std::uint64_t table[(1u << kBits) / 64] = {};
  std::uint64_t met = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t place = (address[lane] >> 5) * 0x9e3779b97f4a7c15 >> (64 - kBits);
    std::uint64_t& word = table[place / 64];
    const std::uint64_t bit = std::uint64_t{mask >> lane & 1} << place % 64;
    met |= word & bit;
    word |= bit;
  }
  return met ? 0 : static_cast<unsigned>(std::popcount(mask));
}

/// Eight neighbouring lanes share a sector where they access the same element (private_memory.h): counts those that no earlier lane
/// accesses.
[[gnu::always_inline]] inline unsigned different_elements(const std::uint64_t* address, std::uint32_t mask) {
  using Lanes __attribute__((vector_size(64))) = std::uint64_t;
  constexpr unsigned kLanes = sizeof(Lanes) / sizeof(std::uint64_t);
  const Lanes numbers = {0, 1, 2, 3, 4, 5, 6, 7}, masks = Lanes{} + mask;
  Lanes count{};
  for (unsigned first = 0; first < kWarpSize; first += kLanes) {
    Lanes at;
    std::memcpy(&at, address + first, sizeof at);
    const Lanes live = masks >> (numbers + first) & 1;
    // A lane that is not live has an element of its own.
    const Lanes element = (at >> 2 & -live) | ((live - 1) & (numbers - kWarpSize));
    Lanes again{};
#define WEFT_EARLIER(...) again |= (Lanes)(__builtin_shufflevector(element, Lanes{} - 1, __VA_ARGS__) == element);
    WEFT_EARLIER(8, 0, 1, 2, 3, 4, 5, 6)
    WEFT_EARLIER(8, 8, 0, 1, 2, 3, 4, 5)
    WEFT_EARLIER(8, 8, 8, 0, 1, 2, 3, 4)
    WEFT_EARLIER(8, 8, 8, 8, 0, 1, 2, 3)
    WEFT_EARLIER(8, 8, 8, 8, 8, 0, 1, 2)
    WEFT_EARLIER(8, 8, 8, 8, 8, 8, 0, 1)
    WEFT_EARLIER(8, 8, 8, 8, 8, 8, 8, 0)
#undef WEFT_EARLIER
    count += live & ~again;
  }
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < kLanes; ++i) sum += count[i];
  return static_cast<unsigned>(sum);
}

WEFT_SSE42 unsigned elements_sse42(const std::uint64_t* address, std::uint32_t mask) { return different_elements(address, mask); }
WEFT_AVX2 unsigned elements_avx2(const std::uint64_t* address, std::uint32_t mask) { return different_elements(address, mask); }
WEFT_AVX512 unsigned elements_avx512(const std::uint64_t* address, std::uint32_t mask) { return different_elements(address, mask); }

/// Whether an access is an aligned word that costs by sectors.
bool is_word_in_sectors(Capability capability, const AccessKind& kind) {
  return capability >= kCc30 && kind.kind <= abi::CountedKind::kStore && std::has_single_bit(kind.width) && kind.width <= 16 &&
         kind.align >= kind.width;
}

}  // namespace

unsigned progression_sectors(std::uint64_t start, unsigned shift, std::uint32_t mask) {
  if (shift >= 5) return static_cast<unsigned>(std::popcount(mask));
  unsigned count = 0;
  unsigned place = start & 31;  // of a lane in its sector
  for (unsigned lane = 0; lane < kWarpSize;) {
    const unsigned lanes = ((31 - place) >> shift) + 1;
    count += (mask & lanes_of(lane, lanes) & -(1u << lane)) != 0;
    place = (place + (lanes << shift)) & 31;
    lane += lanes;
  }
  return count;
}

unsigned progression_shift(Capability capability, const AccessKind& kind, const abi::CountedRecord& record) {
  if (kind.space != abi::CountedSpace::kGlobal || !is_word_in_sectors(capability, kind) || record.segment != kWarpSize) return kNoShift;
  const auto stride = static_cast<std::uint64_t>(record.stride);
  return record.stride >= kind.width && std::has_single_bit(stride) ? static_cast<unsigned>(std::countr_zero(stride)) : kNoShift;
}

CountSectors count_sectors(Capability capability, const AccessKind& kind) {
  if (!is_word_in_sectors(capability, kind)) return nullptr;
  if (kind.space == abi::CountedSpace::kGlobal) return different_sectors;
  return kind.space == abi::CountedSpace::kPrivate && kind.width <= 4 ? for_this_processor(elements_sse42, elements_avx2, elements_avx512) : nullptr;
}

}  // namespace weft::device::counters
