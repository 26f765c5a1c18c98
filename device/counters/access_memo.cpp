#include "device/counters/access_memo.h"

#include <bit>

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

/// The live lanes' distances from `base`, 0 for others. Their sum with factors goes to `hash`. Whether they are those of
/// `known`.
[[gnu::always_inline]] inline bool measure(const std::uint64_t* address, std::uint32_t mask, std::uint64_t base,
                                           const std::uint64_t* known, std::uint64_t* distance, std::uint64_t& hash) {
  std::uint64_t sum = 0, differs = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t live = -static_cast<std::uint64_t>(mask >> lane & 1);
    const std::uint64_t far = (address[lane] - base) & live;
    distance[lane] = far;
    differs |= far ^ known[lane];
    sum += static_cast<std::uint64_t>(static_cast<std::uint32_t>(far ^ far >> 32)) * kFactors[lane];
  }
  hash = sum;
  return differs == 0;
}

using Measure = bool (*)(const std::uint64_t*, std::uint32_t, std::uint64_t, const std::uint64_t*, std::uint64_t*,
                         std::uint64_t&);

// By hand in place of target_clones, whose resolvers run before a sanitizer's own start.
#define WEFT_MEASURE(name, features)                                                                                     \
  [[gnu::target(features)]] bool name(const std::uint64_t* address, std::uint32_t mask, std::uint64_t base,             \
                                    const std::uint64_t* known, std::uint64_t* distance, std::uint64_t& hash) {       \
    return measure(address, mask, base, known, distance, hash);                                                       \
  }
WEFT_MEASURE(measure_sse42, "sse4.2")
WEFT_MEASURE(measure_avx2, "avx2")
WEFT_MEASURE(measure_avx512, "avx512f,avx512dq,avx512vl,prefer-vector-width=512")
#undef WEFT_MEASURE

Measure choose_measure() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return measure_avx512;
  }
  return __builtin_cpu_supports("avx2") ? measure_avx2 : measure_sse42;
}

}  // namespace

AccessMemo::AccessMemo(Capability capability) : capability_(capability), entries_(new Entry[kEntries]) {}

const AccessCost& AccessMemo::cost(std::uint32_t class_number, const Class& of, std::uint32_t mask,
                                   const std::uint64_t* address, Hint& hint) {
  static const Measure measure_here = choose_measure();
  const std::uint64_t base = address[std::countr_zero(mask)] & ~of.bits;
  alignas(64) std::uint64_t distance[kWarpSize];
  std::uint64_t hash;
  Entry& last = entries_[hint];
  const bool equal = measure_here(address, mask, base, last.distance.data(), distance, hash);
  if (equal && last.mask == mask && last.class_number == class_number) return last.cost;

  hash = (hash ^ (std::uint64_t{class_number} << 32 | mask)) * kMix;
  hint = static_cast<Hint>(hash >> (64 - std::countr_zero(kEntries)));
  Entry& entry = entries_[hint];
  bool found = entry.mask == mask && entry.class_number == class_number;
  if (found) {
    std::uint64_t differs = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) differs |= distance[lane] ^ entry.distance[lane];
    found = differs == 0;
  }
  if (!found) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) entry.distance[lane] = distance[lane];
    entry.mask = mask;
    entry.class_number = class_number;
    entry.cost = access_cost(capability_, of.kind, mask, address);
  }
  return entry.cost;
}

}  // namespace weft::device::counters
