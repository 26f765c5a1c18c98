#include "profiler/kernel_use.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "device/counters/counts_names.h"

namespace weft::profiler {

using device::counters::Counts;

constexpr std::size_t kSums = sizeof(Counts) / sizeof(std::uint64_t);

std::uint64_t Configuration::groups() const {
  std::uint64_t count = 1;
  for (std::size_t d = 0; d < global_size.size(); ++d) {
    const std::uint64_t local = std::max<std::uint64_t>(1, local_size[d]);
    count *= (global_size[d] + local - 1) / local;
  }
  return count;
}

double idle_steps(const Counts& counts) {
  const double issued = 32.0 * static_cast<double>(counts.warp_instructions());
  return std::max(0.0, issued - static_cast<double>(counts.lane_predicated_on)) / 32;
}

double parted_steps(const Counts& counts) {
  const double run = 32.0 * (static_cast<double>(counts.warp_instructions()) - static_cast<double>(counts.warp_predicated_off));
  return std::max(0.0, run - static_cast<double>(counts.lane_predicated_on)) / 32;
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

/// Of a program's options, "-D X=1" as "X=1".
std::set<std::string> words_of(const std::string& options) {
  std::set<std::string> words;
  std::istringstream in(options);
  for (std::string word; in >> word;) {
    if (word == "-D" || word == "-I") continue;
    words.insert(word.starts_with("-D") ? word.substr(2) : word);
  }
  return words;
}

/// Sums of all launches of a shape, where they belong.
void add_sums(const CountedShape& shape, const std::vector<std::uint64_t>& sums, Counts& total, std::map<std::pair<std::string, std::uint32_t>, Counts>& lines) {
  std::vector<Counts> of_lines(shape.lines.size());
  Counts of_launch;
  std::vector<std::array<std::uint64_t*, kSums>> places(shape.lines.size() + 1);
  const auto find_places = [](Counts& counts, std::array<std::uint64_t*, kSums>& all) {
    device::counters::for_each_numbered_sum(counts, [&](unsigned place, std::uint64_t& sum) { all[place] = &sum; });
  };
  for (std::size_t i = 0; i < of_lines.size(); ++i) find_places(of_lines[i], places[i]);
  find_places(of_launch, places.back());
  for (std::size_t i = 0; i < shape.sums.size(); ++i) {
    const auto& [line, place] = shape.sums[i];
    if (place != kNone) *places[line == kNone ? of_lines.size() : line].at(place) += sums[i];
  }
  total += of_launch;
  for (std::size_t i = 0; i < of_lines.size(); ++i) lines[{shape.lines[i].file, shape.lines[i].line}] += of_lines[i];
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

std::vector<std::string> labels_of(const Run& run, const std::vector<KernelUse>& uses) {
  std::map<std::string, std::vector<std::size_t>> by_name;
  std::vector<std::string> labels;
  for (const KernelUse& use : uses) {
    by_name[run.kernels[use.kernel].name].push_back(labels.size());
    labels.push_back(run.kernels[use.kernel].name);
  }
  for (const auto& [name, same] : by_name) {
    if (same.size() == 1) continue;
    std::map<std::string, std::size_t> times;  // that the builds have an option
    std::vector<std::set<std::string>> options;
    for (const std::size_t i : same) {
      options.push_back(words_of(run.programs[run.kernels[uses[i].kernel].program].options));
      for (const std::string& word : options.back()) ++times[word];
    }
    std::map<std::string, std::size_t> given;
    for (std::size_t n = 0; n < same.size(); ++n) {
      std::string own;
      for (const std::string& word : options[n]) {
        if (times[word] < same.size()) own += (own.empty() ? "" : " ") + word;
      }
      if (const std::size_t before = given[own]++) own += (own.empty() ? "" : ", ") + std::string("program ") + std::to_string(before + 1);
      if (!own.empty()) labels[same[n]] += " [" + own + "]";
    }
  }
  return labels;
}

std::vector<KernelUse> uses_of(const Run& run) {
  std::vector<KernelUse> uses(run.kernels.size());
  std::vector<std::map<std::pair<std::string, std::uint32_t>, Counts>> lines(uses.size());
  std::vector<std::size_t> times(run.counted.size());
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
    found->resources = run.shapes[run.counted[command.counted].shape].resources;
    ++times[command.counted];
  }
  std::vector<std::set<std::size_t>> accesses(uses.size());
  std::vector<std::vector<std::uint64_t>> sums(run.shapes.size());  // of all launches of a shape; none: it was not launched
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] == 0) continue;
    const Counted& counted = run.counted[i];
    sums[counted.shape].resize(counted.sums.size());
    for (std::size_t s = 0; s < counted.sums.size(); ++s) sums[counted.shape][s] += times[i] * counted.sums[s];
    accesses[run.shapes[counted.shape].kernel].insert(counted.accesses.begin(), counted.accesses.end());
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const CountedShape& shape = run.shapes[i];
    if (sums[i].empty()) continue;
    KernelUse& use = uses[shape.kernel];
    use.report.is_traced |= shape.traced;
    add_sums(shape, sums[i], use.report.counts.total, lines[shape.kernel]);
  }
  for (std::size_t k = 0; k < uses.size(); ++k) {
    KernelUse& use = uses[k];
    use.kernel = k;
    use.report.kernel = run.kernels[k].name;
    use.report.capability = run.capability;
    add_accesses(accesses[k], run.accesses, use.accesses);
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
