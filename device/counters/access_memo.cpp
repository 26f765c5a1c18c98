#include "device/counters/access_memo.h"

#include <algorithm>
#include <bit>

#include "device/counters/processor.h"

namespace weft::device::counters {

namespace {

constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;

/// An odd number of 32 bits for each lane.
constexpr std::array<std::uint32_t, kWarpSize> make_factors() {
  std::array<std::uint32_t, kWarpSize> factors{};
  std::uint64_t state = kMix;
  for (std::uint32_t& factor : factors) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    factor = static_cast<std::uint32_t>(state >> 32) | 1;
  }
  return factors;
}
constexpr std::array<std::uint32_t, kWarpSize> kFactors = make_factors();

/// Whether the live lanes' distances from `base` are those of `known`, which has 0 for others.
[[gnu::always_inline]] inline bool compare(const std::uint64_t* address, std::uint32_t mask, std::uint64_t base,
                                           const std::uint64_t* known) {
  std::uint64_t differs = 0;
  if (mask == ~0u) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) differs |= (address[lane] - base) ^ known[lane];
  } else {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t live = -static_cast<std::uint64_t>(mask >> lane & 1);
      differs |= ((address[lane] - base) & live) ^ known[lane];
    }
  }
  return differs == 0;
}

/// The live lanes' distances from `base`, 0 for others. Returns their sum with factors.
[[gnu::always_inline]] inline std::uint64_t measure(const std::uint64_t* address, std::uint32_t mask, std::uint64_t base,
                                                    std::uint64_t* distance) {
  std::uint64_t sum = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t live = -static_cast<std::uint64_t>(mask >> lane & 1);
    const std::uint64_t far = (address[lane] - base) & live;
    distance[lane] = far;
    sum += static_cast<std::uint64_t>(static_cast<std::uint32_t>(far ^ far >> 32)) * kFactors[lane];
  }
  return sum;
}

struct Functions {
  bool (*compare)(const std::uint64_t*, std::uint32_t, std::uint64_t, const std::uint64_t*);
  std::uint64_t (*measure)(const std::uint64_t*, std::uint32_t, std::uint64_t, std::uint64_t*);
};

#define WEFT_FUNCTIONS(target, name)                                                                                          \
  target bool compare_##name(const std::uint64_t* address, std::uint32_t mask, std::uint64_t base, const std::uint64_t* known) { \
    return compare(address, mask, base, known);                                                                               \
  }                                                                                                                           \
  target std::uint64_t measure_##name(const std::uint64_t* address, std::uint32_t mask, std::uint64_t base,                   \
                                      std::uint64_t* distance) {                                                              \
    return measure(address, mask, base, distance);                                                                            \
  }                                                                                                                           \
  constexpr Functions k_##name{compare_##name, measure_##name};
WEFT_FUNCTIONS(WEFT_SSE42, sse42)
WEFT_FUNCTIONS(WEFT_AVX2, avx2)
WEFT_FUNCTIONS(WEFT_AVX512, avx512)
#undef WEFT_FUNCTIONS

const Functions& functions() {
  static const Functions here = for_this_processor(k_sse42, k_avx2, k_avx512);
  return here;
}

/// What distances count from.
std::uint64_t base_of(std::uint32_t mask, const std::uint64_t* address, std::uint64_t bits) {
  return address[std::countr_zero(mask)] & ~bits;
}

}  // namespace

AccessMemo::AccessMemo(Capability capability) : capability_(capability), entries_(new Entry[kEntries]) {}

bool AccessMemo::matches(const Entry& entry, std::uint32_t class_number, std::uint32_t mask, const std::uint64_t* address,
                         std::uint64_t base) {
  return entry.mask == mask && entry.class_number == class_number &&
         functions().compare(address, mask, base, entry.distance.data());
}

const AccessCost* AccessMemo::find(std::uint32_t class_number, const Class& of, std::uint32_t mask,
                                   const std::uint64_t* address, Hint hint) const {
  const Entry& entry = entries_[hint];
  return matches(entry, class_number, mask, address, base_of(mask, address, of.bits)) ? &entry.cost : nullptr;
}

const AccessCost& AccessMemo::cost(std::uint32_t class_number, const Class& of, std::uint32_t mask,
                                   const std::uint64_t* address, Hint& hint) {
  const std::uint64_t base = base_of(mask, address, of.bits);
  if (matches(entries_[hint], class_number, mask, address, base)) return entries_[hint].cost;

  alignas(64) std::uint64_t distance[kWarpSize];
  const std::uint64_t hash =
      (functions().measure(address, mask, base, distance) ^ (std::uint64_t{class_number} << 32 | mask)) * kMix;
  hint = static_cast<Hint>(hash >> (64 - std::countr_zero(kEntries)));
  Entry& entry = entries_[hint];
  if (!matches(entry, class_number, mask, address, base)) {
    std::copy_n(distance, kWarpSize, entry.distance.begin());
    entry.mask = mask;
    entry.class_number = class_number;
    entry.cost = access_cost(capability_, of.kind, mask, address);
  }
  return entry.cost;
}

}  // namespace weft::device::counters
