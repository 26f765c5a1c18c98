// Compute capability 1.0 and 1.1 (Programming Guide §3.1.2.1, Best Practices Guide §3.2.1).
#include <algorithm>

#include "device/counters/global_memory.h"

namespace weft::device::counters {

namespace {

constexpr unsigned kHalfWarp = 16;

/// Whether each active lane k accesses word k of a segment of 16 words, aligned to its size. Lanes may be
/// inactive; words are of 4, 8 or 16 bytes; an atomic never coalesces.
bool coalesces(const WarpAccess& access, std::uint32_t half) {
  if (access.width < 4 || access.is_atomic()) return false;
  const unsigned lowest = std::countr_zero(half);
  const std::uint64_t segment = access.address[lowest] - lowest % kHalfWarp * access.width;
  if (segment % (kHalfWarp * access.width) != 0) return false;
  bool in_order = true;
  for_each_lane(half, [&](unsigned lane) {
    in_order &= access.address[lane] == segment + lane % kHalfWarp * access.width;
  });
  return in_order;
}

}  // namespace

GlobalCost global_in_order(const WarpAccess& access, const TransactionSink* sink) {
  GlobalCost cost;
  cost.requests = 1;
  cost.passes = 1;
  cost.requested_bytes = requested_bytes(access);
  for (unsigned first = 0; first < kWarpSize; first += kHalfWarp) {
    const std::uint32_t half = access.mask & lanes_of(first, kHalfWarp);
    if (half == 0) continue;
    // 4-byte words: one transaction of 64 bytes; 8-byte words: one of 128; 16-byte words: two of 128.
    cost.fewest += access.width == 16 ? 2 : 1;
    if (coalesces(access, half)) {
      cost.transactions += access.width == 16 ? 2 : 1;
      (access.width == 4 ? cost.transactions_64 : cost.transactions_128) += access.width == 16 ? 2 : 1;
      cost.transferred_bytes += kHalfWarp * access.width;
      if (sink) {
        const unsigned bytes = std::min(128u, kHalfWarp * access.width);
        const std::uint64_t run = kHalfWarp * access.width;
        const std::uint64_t start = access.address[std::countr_zero(half)] / run * run;
        for (unsigned at = 0; at < run; at += bytes) (*sink)(start + at, bytes);
      }
    } else {
      // One for each lane, of the smallest size, 32 bytes (Best Practices Guide §3.2.1.3).
      const unsigned lanes = std::popcount(half);
      cost.transactions += lanes;
      cost.transactions_32 += lanes;
      cost.incoherent += lanes;
      cost.transferred_bytes += 32 * lanes;
      if (sink) for_each_lane(half, [&](unsigned lane) { (*sink)(access.address[lane] / 32 * 32, 32); });
    }
  }
  return cost;
}

}  // namespace weft::device::counters
