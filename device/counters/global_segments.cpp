// Compute capability 1.2 and 1.3: the segment protocol (Programming Guide §3.1.2.1, Best Practices Guide
// §3.2.1).
#include <algorithm>

#include "device/counters/global_memory.h"

namespace weft::device::counters {

namespace {

constexpr unsigned kHalf = 16;

/// 32 bytes for 1-byte words, 64 for 2-byte words, 128 for wider ones.
unsigned segment_size(unsigned width) { return std::min(128u, 32 * width); }

void add_transaction(GlobalCost& cost, unsigned bytes) {
  ++cost.transactions;
  ++(bytes == 32 ? cost.transactions_32 : bytes == 64 ? cost.transactions_64 : cost.transactions_128);
  cost.transferred_bytes += bytes;
}

/// The least power of two of 32 to 128 bytes that reaches from a segment's start, or half of it, over what is
/// used: 128 bytes become 64, and 64 become 32, where only the lower or the upper half is used.
unsigned reduced(unsigned size, std::uint64_t begin, std::uint64_t end) {
  while (size > 32 && begin / (size / 2) == (end - 1) / (size / 2)) size /= 2;
  return size;
}

}  // namespace

GlobalCost global_segments(const WarpAccess& access, const TransactionSink* sink) {
  GlobalCost cost;
  cost.requests = 1;
  cost.passes = 1;
  cost.requested_bytes = requested_bytes(access);
  const unsigned size = segment_size(access.width);
  for (unsigned first = 0; first < kWarpSize; first += kHalf) {
    std::uint32_t left = access.mask & lanes_of(first, kHalf);
    if (left == 0) continue;
    WarpAccess half = access;
    half.mask = left;
    cost.fewest += (distinct_bytes(half) + size - 1) / size;
    if (access.is_atomic()) {
      // No guide says that atomics coalesce on these devices: one transaction for each lane.
      for_each_lane(left, [&](unsigned lane) {
        add_transaction(cost, 32);
        if (sink) (*sink)(access.address[lane] / 32 * 32, 32);
      });
      continue;
    }
    while (left) {
      const std::uint64_t segment = access.address[std::countr_zero(left)] / size;
      std::uint64_t begin = ~0ull, end = 0;
      for_each_lane(left, [&](unsigned lane) {
        const std::uint64_t address = access.address[lane];
        if (address / size != segment) return;
        begin = std::min(begin, address);
        end = std::max(end, address + access.width);
        left &= ~(1u << lane);
      });
      const unsigned bytes = reduced(size, begin, end);
      add_transaction(cost, bytes);
      if (sink) (*sink)(begin / bytes * bytes, bytes);
    }
  }
  return cost;
}

}  // namespace weft::device::counters
