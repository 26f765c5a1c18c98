// Findings that the commands of a run show: what goes between host and device, and when.
#include <algorithm>

#include "profiler/findings.h"

namespace weft::profiler {
namespace {

constexpr std::uint64_t kSmall = 64 << 10;
constexpr std::uint64_t kMuch = 1 << 20;

/// Whether a transfer ran while a kernel did, ever. Commands are sorted by start.
bool any_overlap(const Run& run) {
  std::uint64_t kernels_end = 0, transfers_end = 0;
  for (const Command& command : run.commands) {
    const Request& request = run.request(command);
    if (!request.is_kernel() && !request.is_transfer()) continue;
    std::uint64_t& own = request.is_kernel() ? kernels_end : transfers_end;
    const std::uint64_t other = request.is_kernel() ? transfers_end : kernels_end;
    if (command.times_ns[2] < other) return true;
    own = std::max(own, command.times_ns[3]);
  }
  return false;
}

}  // namespace

void find_in_run(const Run& run, const std::vector<KernelUse>& uses, std::vector<Finding>& found) {
  std::uint64_t transfers = 0, small = 0, bytes = 0, unpinned_bytes = 0, small_bytes = 0, launches = 0;
  for (const Command& command : run.commands) {
    const Request& request = run.request(command);
    launches += request.is_kernel();
    if (!request.is_transfer()) continue;
    ++transfers;
    bytes += request.bytes;
    if (!request.pinned) unpinned_bytes += request.bytes;
    if (request.bytes < kSmall) ++small, small_bytes += request.bytes;
  }
  const auto add = [&](AdviceId id, std::string detail) { found.push_back({id, kNone, "", 0, 0, std::move(detail)}); };
  const auto mib = [](std::uint64_t size) { return spelled(static_cast<double>(size) / (1 << 20)) + " MiB"; };
  if (small >= 16 && 2 * small > transfers) {
    add(AdviceId::small_transfers, spelled(static_cast<double>(small)) + " of " + spelled(static_cast<double>(transfers)) +
                                       " transfers move less than 64 KiB, " + spelled(static_cast<double>(small_bytes) / static_cast<double>(small)) +
                                       " bytes on average.");
  }
  if (unpinned_bytes >= kMuch) add(AdviceId::unpinned_transfers, mib(unpinned_bytes) + " of " + mib(bytes) + " come from or go to such memory.");
  if (bytes >= kMuch && transfers >= 4 && launches >= 2 && !any_overlap(run)) {
    add(AdviceId::no_overlap, "None of " + spelled(static_cast<double>(transfers)) + " transfers (" + mib(bytes) + ") ran while a kernel did.");
  }
  std::uint64_t accessed = 0, counted = 0;
  for (const KernelUse& use : uses) {
    const auto& total = use.total;
    counted += use.counted;
    for (const auto* cost : {&total.global_load, &total.global_store, &total.global_atomic, &total.global_reduction}) accessed += cost->transferred_bytes;
    accessed += 32 * (total.image_load.sectors + total.image_store.sectors);
  }
  if (bytes >= kMuch && counted == launches && launches && bytes > accessed) {
    add(AdviceId::transfers_outweigh, mib(bytes) + " between host and device; kernels access " + mib(accessed) + ".");
  }
}

}  // namespace weft::profiler
