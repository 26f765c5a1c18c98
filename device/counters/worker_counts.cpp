#include "device/counters/worker_counts.h"

#include <algorithm>
#include <bit>

#include "device/counters/counted_kernel.h"

namespace weft::device::counters {

namespace {

/// Keeps the words of two threads off one line, wherever the allocator puts them.
constexpr std::size_t kLineWords = 16;

std::uint32_t deltas_of(const abi::CountedRecord& record) {
  return record.segment == 0 ? 0 : kWarpSize / record.segment - 1;
}

}  // namespace

WorkerCounts::WorkerCounts(const CountedKernel& kernel)
    : kernel_(kernel),
      words_(kernel.table().words + kLineWords),
      sites_(kernel.table().sites.size() + 1),
      hints_(kernel.table().records.size() + kLineWords),
      memo_(kernel.model().capability) {
  clear();
}

void WorkerCounts::clear() {
  std::fill(words_.begin(), words_.end(), 0);
  for (const abi::CountedRecord& record : kernel_.table().records) {
    std::fill_n(words_.begin() + record.deltas, deltas_of(record), static_cast<std::uint64_t>(abi::kNoDelta));
  }
  std::fill(sites_.begin(), sites_.end(), CostSums());
}

const AccessCost& WorkerCounts::cost(std::uint32_t record, std::uint32_t mask, const std::uint64_t* address) {
  const std::uint32_t number = kernel_.class_of(kernel_.table().records[record].site);
  return memo_.cost(number, kernel_.access_class(number), mask, address, hints_[record]);
}

void WorkerCounts::count(std::uint32_t number, std::uint32_t mask, const std::uint64_t* given) {
  if (mask == 0) return;
  const abi::CountedRecord& record = kernel_.table().records[number];
  const std::uint64_t* address = given;
  std::uint64_t of_lanes[kWarpSize];
  if (record.by_segment) {
    const unsigned shift = std::countr_zero(record.segment);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      of_lanes[lane] =
          given[lane >> shift] + static_cast<std::uint64_t>(record.stride) * (lane & (record.segment - 1));
    }
    address = of_lanes;
  }
  const std::uint32_t deltas = deltas_of(record);
  if (deltas != 0 && mask == ~0u && words_[record.deltas] == static_cast<std::uint64_t>(abi::kNoDelta)) {
    // From now on the code counts runs like this one itself.
    for (std::uint32_t i = 0; i < deltas; ++i) {
      words_[record.deltas + i] = address[(i + 1) * record.segment] - address[0];
    }
  }
  sites_[record.site] += cost(number, mask, address);
}

}  // namespace weft::device::counters
