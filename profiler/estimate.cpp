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
// Programming Guide §3.1.1: an instruction of a warp takes 4 cycles on the 8 processors of a multiprocessor; §3.1.2.5: a step of a
// half-warp's access to local memory takes 2.
constexpr double kIssueCycles = 4, kHalfWarpCycles = 2;
// Programming Guide §3.1.1.3: 400 to 600 cycles.
constexpr double kLatencyCycles = 500;

double of(std::uint64_t count) { return static_cast<double>(count); }

/// Seconds at 1 GB/s are ns.
double memory_ns(const device::counters::Gpu& gpu, const CostSums& cost) {
  const double small = 32 * of(cost.transactions_32), rest = of(cost.transferred_bytes) - small;
  return (small / kPeakShareOf32 + rest / kPeakShare) / gpu.bandwidth_gb_s;
}

}  // namespace

double Estimate::ns() const { return std::max({memory_ns, issue_ns, latency_ns}); }

EstimatedBound Estimate::bound() const {
  return memory_ns >= issue_ns && memory_ns >= latency_ns ? EstimatedBound::memory : issue_ns >= latency_ns ? EstimatedBound::issue : EstimatedBound::latency;
}

std::optional<Estimate> estimate(const device::counters::Gpu& gpu, const Counts& counts, const device::counters::KernelResources& resources,
                                 std::uint64_t groups_of_launch) {
  if (gpu.capability >= device::counters::kCc20 || groups_of_launch == 0) return std::nullopt;
  const auto occupancy = device::counters::occupancy(gpu.capability, resources);
  if (occupancy.groups == 0) return std::nullopt;
  Estimate result;
  double requests = 0, requested_bytes = 0;
  for (const CostSums* cost : {&counts.global_load, &counts.global_store, &counts.global_atomic, &counts.global_reduction, &counts.private_load,
                               &counts.private_store}) {
    result.memory_ns += memory_ns(gpu, *cost);
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
  const double instructions = of(counts.warp_instructions()) - of(counts.local_load.requests) / 2;
  const double conflicts = of(counts.local_load.conflicts + counts.local_store.conflicts + counts.local_atomic.conflicts +
                              counts.local_reduction.conflicts + counts.constant_load.conflicts);
  result.issue_ns = (kIssueCycles * instructions + kHalfWarpCycles * conflicts) * cycle_ns;
  // No more groups are resident than there are.
  const double resident = std::min(of(occupancy.groups), rounds) * occupancy.warps / occupancy.groups;
  result.latency_ns = requests * kLatencyCycles / resident * cycle_ns;
  if (result.ns() <= 0) return std::nullopt;
  result.bandwidth_gb_s = requested_bytes / result.ns();
  return result;
}

std::optional<Estimate> estimate_of(const Run& run, const KernelUse& use) {
  if (!run.gpu || use.counted == 0) return std::nullopt;
  const auto found = std::find_if(use.configurations.begin(), use.configurations.end(), [](const Configuration& one) { return one.counted != 0; });
  return estimate(*run.gpu, use.total(), found->resources, found->groups());
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
