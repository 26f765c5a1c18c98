#include "profiler/kernel_use.h"

#include <algorithm>
#include <map>
#include <set>

#include "device/counters/counts_names.h"

namespace weft::profiler {

using device::counters::Counts;
using device::counters::LineCounts;

std::uint64_t Configuration::groups() const {
  std::uint64_t count = 1;
  for (std::size_t d = 0; d < global_size.size(); ++d) count *= global_size[d] / std::max<std::uint64_t>(1, local_size[d]);
  return count;
}

double idle_steps(const Counts& counts) {
  const double issued = 32.0 * static_cast<double>(counts.warp_instructions());
  return std::max(0.0, issued - static_cast<double>(counts.lane_predicated_on)) / 32;
}

double wasted_steps(const Counts& counts) {
  double steps = idle_steps(counts);
  device::counters::for_each_cost(counts, [&](std::string_view name, const auto& cost) {
    const bool in_passes = name.starts_with("local_") || name.starts_with("constant_");
    const std::uint64_t taken = in_passes ? cost.passes : name.starts_with("image_") ? cost.sectors : cost.transactions;
    steps += static_cast<double>(taken - std::min(taken, cost.fewest));
  });
  return steps;
}

namespace {

void add_lines(const std::vector<LineCounts>& from, std::map<std::pair<std::string, std::uint32_t>, Counts>& lines) {
  for (const LineCounts& line : from) lines[{line.file, line.line}] += line.counts;
}

double waste(const Access& access) {
  return static_cast<double>(std::max(access.cost.transactions, access.cost.passes)) - static_cast<double>(access.cost.fewest);
}

void add_accesses(const std::set<std::size_t>& from, const std::vector<Access>& all, std::vector<Access>& to) {
  for (const std::size_t number : from) {
    const Access& access = all[number];
    const auto same = std::find_if(to.begin(), to.end(), [&](const Access& one) {
      return one.file == access.file && one.line == access.line && one.space == access.space && one.kind == access.kind &&
             one.width == access.width;
    });
    if (same == to.end()) {
      to.push_back(access);
    } else if (waste(access) > waste(*same)) {
      *same = access;
    }
  }
}

}  // namespace

std::vector<KernelUse> uses_of(const Run& run) {
  std::vector<KernelUse> uses(run.kernels.size());
  std::vector<std::map<std::pair<std::string, std::uint32_t>, Counts>> lines(uses.size());
  std::vector<std::map<std::size_t, std::size_t>> times(uses.size());  // counted: so often
  for (std::size_t i = 0; i < run.commands.size(); ++i) {
    const Command& command = run.commands[i];
    if (!command.is_kernel()) continue;
    KernelUse& use = uses[command.kernel];
    use.launches.push_back(i);
    use.time_ns += command.ran_ns();
    use.memory_bytes = std::max(use.memory_bytes, command.memory_bytes);
    auto found = std::find_if(use.configurations.begin(), use.configurations.end(), [&](const Configuration& one) {
      return one.global_size == command.global_size && one.local_size == command.local_size;
    });
    if (found == use.configurations.end()) {
      found = use.configurations.insert(found, Configuration{command.global_size, command.local_size, 0, 0, 0, {}});
    }
    ++found->launches;
    found->time_ns += command.ran_ns();
    if (command.counted == kNone) continue;
    ++found->counted;
    ++use.counted;
    found->resources = run.counted[command.counted].resources;
    ++times[command.kernel][command.counted];
  }
  for (std::size_t k = 0; k < uses.size(); ++k) {
    KernelUse& use = uses[k];
    use.kernel = k;
    use.report.kernel = run.kernels[k].name;
    use.report.capability = run.capability;
    std::set<std::size_t> accesses;
    for (const auto& [number, count] : times[k]) {
      const Counted& counted = run.counted[number];
      use.report.is_traced |= counted.traced;
      for (std::size_t i = 0; i < count; ++i) {
        use.report.counts.total += counted.counts.total;
        add_lines(counted.counts.lines, lines[k]);
      }
      accesses.insert(counted.accesses.begin(), counted.accesses.end());
    }
    add_accesses(accesses, run.accesses, use.accesses);
    for (auto& [place, counts] : lines[k]) use.report.counts.lines.push_back({place.first, place.second, counts});
    std::sort(use.configurations.begin(), use.configurations.end(),
              [](const Configuration& a, const Configuration& b) { return a.time_ns > b.time_ns; });
    for (const Configuration& one : use.configurations) {
      if (one.counted == 0) continue;
      use.report.resources = one.resources;
      break;
    }
    std::stable_sort(use.accesses.begin(), use.accesses.end(),
                     [](const Access& a, const Access& b) { return a.line < b.line; });
  }
  std::erase_if(uses, [](const KernelUse& use) { return use.launches.empty(); });
  std::stable_sort(uses.begin(), uses.end(), [](const KernelUse& a, const KernelUse& b) { return a.time_ns > b.time_ns; });
  return uses;
}

}  // namespace weft::profiler
