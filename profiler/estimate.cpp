#include "profiler/estimate.h"

#include <algorithm>

#include "device/counters/occupancy.h"

namespace weft::profiler {

using device::counters::CostSums;
using device::counters::Counts;

namespace {

// Best Practices Guide §3.2.1.3, Figure 3.7, copies: 120 of 141.6 GB/s on a GTX 280, 74 of 86.4 on an 8800 GTX, coalesced; and
// 8 bytes in 8 × 32 that the 8800 GTX reads and writes for them, at 7 GB/s, where nothing is coalesced.
constexpr double kPeakShare = 0.85, kPeakShareOf32 = 0.65;
// 1.x. Programming Guide §3.1.1: an instruction of a warp takes 4 cycles on the 8 processors of a multiprocessor; §3.1.2.5: a step of a
// half-warp's access to local memory takes 2; §3.1.1.3: 400 to 600 cycles of latency.
//

// Later capabilities. CUDA C Programming Guide, "Arithmetic Instructions", results a cycle: 32 (2.0), 48 (2.1), 192 (3.x), 128 (5.x, 9.0); of
// 3.x no more than its four schedulers issue, of 2.1 no more than in order. §5.2.3 of its editions 4 and 5: 400 to 800 cycles of latency (2.x),
// 200 to 400 (3.x); later editions give none, so the last stays. 2.x has 16 units for loads and stores, later ones 32: a step of a warp
// takes 2 cycles and 1.
struct Rates {
  double issue_cycles, local_cycles, latency_cycles;
};
Rates rates_of(device::counters::Capability capability) {
  if (capability < device::counters::kCc20) return {4, 2, 500};
  if (capability < device::counters::kCc30) return {1, 2, 600};
  return {0.25, 1, 300};
}
/// Of the second level, for each multiprocessor: assumed.
constexpr double kSectorBytesACycle = 32;

double of(std::uint64_t count) { return static_cast<double>(count); }

/// Seconds at 1 GB/s are ns.
double memory_ns_1x(const device::counters::Gpu& gpu, const CostSums& cost) {
  const double small = 32 * of(cost.transactions_32), rest = of(cost.transferred_bytes) - small;
  return (small / kPeakShareOf32 + rest / kPeakShare) / gpu.bandwidth_gb_s;
}

/// `cycle_ns`: of one multiprocessor's cycle, when all that are busy work on it.
double memory_ns_later(const device::counters::Gpu& gpu, const Counts& counts, double memory_bytes, double cycle_ns) {
  double loaded = 0, stored = 0;
  for (const CostSums* cost : {&counts.global_load, &counts.private_load, &counts.global_atomic}) loaded += of(cost->transferred_bytes);
  for (const CostSums* cost : {&counts.global_store, &counts.private_store, &counts.global_reduction}) stored += of(cost->transferred_bytes);
  loaded += 32 * of(counts.image_load.sectors);
  stored += 32 * of(counts.image_store.sectors);
  const double second_level = (loaded + stored) / kSectorBytesACycle * cycle_ns;
  const double most = memory_bytes > 0 ? memory_bytes : loaded + stored;
  const double device_memory = (std::min(loaded, most) + std::min(stored, most)) / kPeakShare / gpu.bandwidth_gb_s;
  return std::max(second_level, device_memory);
}

}  // namespace

const char* assumptions(device::counters::Capability capability) {
  if (capability < device::counters::kCc20) {
    return "Assumes copies' share of the peak bandwidth, 4 cycles an instruction, 500 cycles of latency, and the longest of the three hiding the "
           "others; neither caches nor launches are in it.";
  }
  return "Assumes that the second-level cache holds all that repeats and the first level nothing, every instruction at the rate of a float's "
         "product, one access of a warp under way at a time, and the longest of the three hiding the others; launches are not in it.";
}

double Estimate::ns() const { return std::max({memory_ns, issue_ns, latency_ns}); }

EstimatedBound Estimate::bound() const {
  return memory_ns >= issue_ns && memory_ns >= latency_ns ? EstimatedBound::memory : issue_ns >= latency_ns ? EstimatedBound::issue : EstimatedBound::latency;
}

std::optional<Estimate> estimate(const device::counters::Gpu& gpu, const Counts& counts, const device::counters::KernelResources& resources,
                                 std::uint64_t groups_of_launch, std::uint64_t memory_bytes) {
  if (groups_of_launch == 0) return std::nullopt;
  const auto occupancy = device::counters::occupancy(gpu.capability, resources);
  if (occupancy.groups == 0) return std::nullopt;
  const bool is_1x = gpu.capability < device::counters::kCc20;
  const Rates rates = rates_of(gpu.capability);
  Estimate result;
  double requests = 0, requested_bytes = 0;
  for (const CostSums* cost : {&counts.global_load, &counts.global_store, &counts.global_atomic, &counts.global_reduction, &counts.private_load,
                               &counts.private_store}) {
    if (is_1x) result.memory_ns += memory_ns_1x(gpu, *cost);
    requests += of(cost->requests);
  }
  for (const CostSums* cost : {&counts.global_load, &counts.global_store, &counts.global_atomic, &counts.global_reduction}) {
    requested_bytes += of(cost->requested_bytes);
  }
  if (counts.partition_transactions) result.memory_ns *= of(counts.partition_steps) / of(counts.partition_transactions);

  // Groups are dealt out whole: the last round may leave multiprocessors idle.
  const double multiprocessors = gpu.multiprocessors;
  const double rounds = of((groups_of_launch + gpu.multiprocessors - 1) / gpu.multiprocessors);
  const double busy = of(groups_of_launch) / (rounds * multiprocessors);
  const double cycle_ns = 1000 / gpu.clock_mhz / (multiprocessors * busy);
  double passes = 0, conflicts = 0;
  for (const CostSums* cost : {&counts.local_load, &counts.local_store, &counts.local_atomic, &counts.local_reduction, &counts.constant_load}) {
    passes += of(cost->passes);
    conflicts += of(cost->conflicts);
  }
  if (is_1x) {
    const double instructions = of(counts.warp_instructions()) - of(counts.local_load.requests) / 2;
    result.issue_ns = (rates.issue_cycles * instructions + rates.local_cycles * conflicts) * cycle_ns;
  } else {
    result.issue_ns = std::max(rates.issue_cycles * of(counts.warp_instructions()), rates.local_cycles * passes) * cycle_ns;
    result.memory_ns = memory_ns_later(gpu, counts, of(memory_bytes), cycle_ns);
  }
  // No more groups are resident than there are.
  const double resident = std::min(of(occupancy.groups), rounds) * occupancy.warps / occupancy.groups;
  result.latency_ns = requests * rates.latency_cycles / resident * cycle_ns;
  if (result.ns() <= 0) return std::nullopt;
  result.bandwidth_gb_s = requested_bytes / result.ns();
  return result;
}

std::optional<Estimate> estimate_of(const Run& run, const KernelUse& use) {
  if (!run.gpu || use.counted == 0) return std::nullopt;
  const auto found = std::find_if(use.configurations.begin(), use.configurations.end(), [](const Configuration& one) { return one.counted != 0; });
  return estimate(*run.gpu, use.total, found->resources, found->groups(), use.memory_bytes * use.counted);
}

const char* spelled(EstimatedBound bound) {
  switch (bound) {
    case EstimatedBound::memory: return "memory";
    case EstimatedBound::issue: return "instructions";
    case EstimatedBound::latency: break;
  }
  return "latency";
}

}  // namespace weft::profiler
