#include "profiler/kernel_use.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "device/counters/counts_names.h"

namespace weft::profiler {

using device::counters::Counts;
using device::counters::SumArray;


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

/// Sums of all launches of a shape, where they belong: of a launch as a whole those of its lines, but for those that it has itself.
void add_sums(const CountedShape& shape, const std::vector<std::uint64_t>& sums, Counts& total, std::map<std::pair<std::string, std::uint32_t>, Counts>& lines) {
  SumArray whole{};
  const auto add = [&](std::size_t i, SumArray& to) {
    if (shape.places[i] != kNone) to.at(shape.places[i]) += sums[i];
  };
  for (const CountedShape::Line& line : shape.lines) {
    SumArray own{};
    for (std::size_t i = line.first; i < line.first + line.num_sums; ++i) {
      add(i, own);
      add(i, whole);
    }
    const Counts counts = std::bit_cast<Counts>(own);
    if (counts != Counts()) lines[{line.file, line.line}] += counts;
  }
  for (std::size_t i = 0; i < shape.of_launch; ++i) {
    if (shape.places[i] != kNone) whole.at(shape.places[i]) = 0;
  }
  for (std::size_t i = 0; i < shape.of_launch; ++i) add(i, whole);
  total += std::bit_cast<Counts>(whole);
}

double waste(const Access& access) {
  return static_cast<double>(std::max(access.cost.transactions, access.cost.passes)) - static_cast<double>(access.cost.fewest);
}

void add_accesses(const std::vector<std::size_t>& from, const std::vector<Access>& all, std::vector<Access>& to) {
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
  // Where a request's sizes are among its kernel's.
  std::vector<std::map<std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>>, std::size_t>> sizes(uses.size());
  std::vector<std::size_t> configurations(run.requests.size(), kNone);
  for (std::size_t i = 0; i < run.commands.size(); ++i) {
    const Command& command = run.commands[i];
    const Request& request = run.requests[command.request];
    if (!request.is_kernel()) continue;
    KernelUse& use = uses[request.kernel];
    std::size_t& place = configurations[command.request];
    if (place == kNone) {
      place = sizes[request.kernel].try_emplace({request.global_size, request.local_size}, use.configurations.size()).first->second;
      if (place == use.configurations.size()) use.configurations.push_back({request.global_size, request.local_size, 0, 0, 0, {}});
    }
    Configuration& configuration = use.configurations[place];
    use.launches.push_back(i);
    use.time_ns += command.ran_ns();
    use.memory_bytes = std::max(use.memory_bytes, request.memory_bytes);
    ++configuration.launches;
    configuration.time_ns += command.ran_ns();
    if (command.counted == kNone) continue;
    ++configuration.counted;
    ++use.counted;
    configuration.resources = run.shapes[run.counted[command.counted].shape].resources;
    ++times[command.counted];
  }
  std::vector<std::vector<std::size_t>> accesses(uses.size());
  std::vector<std::size_t> taken_by(run.accesses.size(), kNone);  // the kernel that has an access in its list
  std::vector<std::vector<std::uint64_t>> sums(run.shapes.size());  // of all launches of a shape; none: it was not launched
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] == 0) continue;
    const Counted& counted = run.counted[i];
    const CountedShape& shape = run.shapes[counted.shape];
    std::vector<std::uint64_t>& of_shape = sums[counted.shape];
    of_shape.resize(shape.places.size());
    for (std::size_t s = 0; s < of_shape.size(); ++s) of_shape[s] += times[i] * run.sums[counted.first_sum + s];
    for (std::size_t a = counted.first_access; a < counted.first_access + counted.num_accesses; ++a) {
      const std::size_t access = run.counted_accesses[a];
      if (std::exchange(taken_by[access], shape.kernel) != shape.kernel) accesses[shape.kernel].push_back(access);
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const CountedShape& shape = run.shapes[i];
    if (sums[i].empty()) continue;
    KernelUse& use = uses[shape.kernel];
    use.report.is_traced |= shape.traced;
    add_sums(shape, sums[i], use.total, lines[shape.kernel]);
  }
  for (std::size_t k = 0; k < uses.size(); ++k) {
    KernelUse& use = uses[k];
    use.kernel = k;
    use.report.kernel = run.kernels[k].name;
    use.report.capability = run.capability;
    add_accesses(accesses[k], run.accesses, use.accesses);
    for (auto& [place, counts] : lines[k]) use.lines.push_back({place.first, place.second, counts});
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
