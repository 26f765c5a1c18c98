// Findings that counters of a kernel and of its lines show.
#include <algorithm>
#include <cstdlib>

#include "device/counters/occupancy.h"
#include "profiler/findings.h"
#include "profiler/multiprocessors.h"
#include "profiler/source_conditions.h"

namespace weft::profiler {

using device::counters::CostSums;
using device::counters::Counts;
using device::counters::LineCounts;

namespace {

/// What is lost at one place must be this part of the kernel's work to be worth a word.
constexpr double kWorthSaying = 0.02;

double part(double of, double whole) { return whole > 0 ? of / whole : 0; }

const Access* access_of(const KernelUse& use, const LineCounts& line, std::string_view space, bool load) {
  const Access* worst = nullptr;
  for (const Access& access : use.accesses) {
    if (access.line != line.line || access.file != line.file || access.space != space || (access.kind == "load") != load) continue;
    if (!worst || access.cost.transactions > worst->cost.transactions) worst = &access;
  }
  return worst;
}

/// Bytes from each lane's address to the next's, if that is the same everywhere.
bool has_stride(const Access& access, std::int64_t& stride) {
  int before = -1;
  bool any = false;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(access.mask >> lane & 1)) continue;
    if (before >= 0) {
      const auto distance = static_cast<std::int64_t>(access.address[lane] - access.address[before]) / (lane - before);
      if (any && distance != stride) return false;
      stride = distance;
      any = true;
    }
    before = lane;
  }
  return any;
}

class Finder {
 public:
  Finder(const KernelUse& use, std::size_t number, SourceTexts& texts, std::vector<Finding>& found)
      : use_(use), number_(number), texts_(texts), found_(found) {}

  void add(AdviceId id, const LineCounts* line, double steps, std::string detail) {
    found_.push_back({id, number_, line ? line->file : "", line ? line->line : 0, steps, std::move(detail)});
  }

  void global(const LineCounts& line, const CostSums& cost, bool load) {
    const Counts& total = use_.total;
    const double whole = static_cast<double>(total.global_load.transactions + total.global_store.transactions);
    const double waste = static_cast<double>(cost.transactions) - static_cast<double>(cost.fewest);
    if (part(waste, whole) < kWorthSaying || cost.fewest == 0) return;
    const double times = static_cast<double>(cost.transactions) / static_cast<double>(cost.fewest);
    const std::string detail = spelled(static_cast<double>(cost.transactions)) + (load ? " transactions of loads, " : " transactions of stores, ") +
                               spelled(static_cast<double>(cost.fewest)) + " would do: " + spelled(times) + " times as many.";
    const Access* const access = access_of(use_, line, "global", load);
    std::int64_t stride = 0;
    const bool regular = access && has_stride(*access, stride);
    // 16 bytes are the most that a lane's load brings: wider vectors are several, each with gaps between its lanes.
    const auto width = access ? std::min<std::int64_t>(access->width, 16) : 4;
    if (regular && std::abs(stride) <= width) {
      if (times >= 1.15) add(AdviceId::misaligned, &line, waste, detail);
    } else if (times < 1.4) {
      return;
    } else if (regular && std::abs(stride) <= 16 * width) {
      add(AdviceId::strided, &line, waste, detail + " Lanes are " + spelled(static_cast<double>(stride)) + " bytes apart.");
    } else {
      add(AdviceId::uncoalesced, &line, waste,
          regular ? detail + " Lanes are " + spelled(static_cast<double>(stride)) + " bytes apart." : detail);
    }
  }

  void local(const LineCounts& line) {
    const Counts& c = line.counts;
    const double conflicts = static_cast<double>(c.local_load.conflicts + c.local_store.conflicts);
    const double passes = static_cast<double>(c.local_load.passes + c.local_store.passes);
    const Counts& total = use_.total;
    const double whole = static_cast<double>(total.local_load.passes + total.local_store.passes);
    if (part(conflicts, whole) < kWorthSaying || part(conflicts, passes) < 0.2) return;
    add(AdviceId::bank_conflicts, &line, conflicts,
        spelled(passes) + " steps, " + spelled(passes - conflicts) + " without conflicts: " +
            spelled(passes / std::max(1.0, passes - conflicts)) + " at a time in one bank.");
  }

  void constant(const LineCounts& line) {
    const CostSums& cost = line.counts.constant_load;
    const double conflicts = static_cast<double>(cost.conflicts);
    if (cost.passes == 0 || part(conflicts, static_cast<double>(cost.passes)) < 0.3) return;
    add(AdviceId::constant_divergence, &line, conflicts,
        spelled(static_cast<double>(cost.passes)) + " addresses in " + spelled(static_cast<double>(cost.requests)) + " reads.");
  }

  void atomics(const LineCounts& line) {
    for (const CostSums* cost : {&line.counts.global_atomic, &line.counts.global_reduction}) {
      if (cost->requests == 0 || cost->passes < 8 * cost->requests) continue;
      add(AdviceId::atomic_contention, &line, static_cast<double>(cost->passes - cost->requests),
          "Up to " + spelled(part(static_cast<double>(cost->passes), static_cast<double>(cost->requests))) +
              " lanes of a warp share an address.");
      return;
    }
  }

  void camping(const LineCounts& line) {
    const double transactions = static_cast<double>(line.counts.partition_transactions);
    const double steps = static_cast<double>(line.counts.partition_steps);
    const double whole = static_cast<double>(use_.total.partition_transactions);
    if (part(transactions, whole) < 0.1 || part(steps, transactions) < 1.5) return;
    add(AdviceId::partition_camping, &line, steps - transactions,
        "Memory takes " + spelled(steps / transactions) + " times as long as with even partitions.");
  }

  /// One finding: the branch that diverges most often, or else the condition of the line that most lanes sit out. Warps that a predicate
  /// leaves out whole do not count: they went one way.
  void divergence(const Run& run) {
    const Counts& total = use_.total;
    const double issued = static_cast<double>(total.warp_instructions());
    // What groups that are no multiple of 32 lose is another finding.
    const unsigned items = std::max(1u, use_.report.resources.group_items);
    const double can = static_cast<double>(items) / (32.0 * ((items + 31) / 32));
    const double lost = parted_steps(total) - (1 - can) * (issued - static_cast<double>(total.warp_predicated_off));
    if (part(lost, issued) < 0.1) return;
    const LineCounts* worst = nullptr;
    for (const LineCounts& line : use_.lines) {
      if (line.line && line.counts.divergent_branches && (!worst || line.counts.divergent_branches > worst->counts.divergent_branches)) worst = &line;
    }
    const bool is_branch = worst != nullptr;
    if (!worst) {
      for (const LineCounts& line : use_.lines) {
        if (line.line && (!worst || parted_steps(line.counts) > parted_steps(worst->counts))) worst = &line;
      }
    }
    if (!worst) return;
    std::string detail = spelled(100 * part(lost, issued)) + " % of the lanes that the kernel's instructions are issued to do nothing";
    if (is_branch) {
      detail += "; " + spelled(static_cast<double>(worst->counts.divergent_branches)) + " of " +
                spelled(static_cast<double>(worst->counts.branches)) + " runs of this branch diverge.";
      return add(AdviceId::divergence, worst, lost, std::move(detail));
    }
    const double own = static_cast<double>(worst->counts.warp_instructions() - worst->counts.warp_predicated_off);
    const std::uint32_t condition = condition_of(run, *worst);
    detail += condition == worst->line ? ", of this line's " : "; under this condition, in line " + spelled(worst->line) + ", ";
    detail += spelled(100 * part(parted_steps(worst->counts), own)) + " %.";
    add(AdviceId::divergence, worst, lost, std::move(detail));
    found_.back().line = condition;
  }

  /// The line of what parts the lanes of a line's warps: of the conditions around it the innermost that is itself run by more of them.
  std::uint32_t condition_of(const Run& run, const LineCounts& line) const {
    const std::string* const text = run.programs[run.kernels[use_.kernel].program].text_of(line.file);
    if (!text) return line.line;
    const auto live = [](const Counts& counts) {
      return part(static_cast<double>(counts.lane_predicated_on), static_cast<double>(counts.warp_instructions() - counts.warp_predicated_off));
    };
    for (const std::uint32_t condition : conditions_around(texts_.of(*text).tokens, line.line)) {
      if (condition == line.line) break;
      const auto& lines = use_.lines;
      const auto own = std::find_if(lines.begin(), lines.end(), [&](const LineCounts& one) { return one.line == condition && one.file == line.file; });
      if (own == lines.end() || live(own->counts) > live(line.counts)) return condition;
    }
    return line.line;
  }

  /// Work-items that returned in front of a barrier which others reached.
  void ended() {
    const std::uint64_t groups = use_.total.groups_without_some;
    if (groups == 0) return;
    add(AdviceId::divergent_barrier, nullptr, 0,
        "In " + spelled(static_cast<double>(groups)) + " of " + spelled(static_cast<double>(use_.total.groups)) +
            " groups some work-items had returned when others went on.");
  }

  void memory() {
    const Counts& total = use_.total;
    const double of_private = static_cast<double>(total.private_load.transactions + total.private_store.transactions);
    const double of_global = static_cast<double>(total.global_load.transactions + total.global_store.transactions);
    if (part(of_private, of_private + of_global) > 0.1) {
      const LineCounts* worst = nullptr;
      for (const LineCounts& line : use_.lines) {
        const auto count = [](const LineCounts& of) { return of.counts.private_load.transactions + of.counts.private_store.transactions; };
        if (count(line) && (!worst || count(line) > count(*worst))) worst = &line;
      }
      add(AdviceId::private_memory, worst, of_private,
          spelled(of_private) + " transactions, beside " + spelled(of_global) + " of global memory.");
    }
    const double read = part(static_cast<double>(total.global_load.requested_bytes), static_cast<double>(use_.counted));
    const double times = part(read, static_cast<double>(use_.memory_bytes));
    if (times >= 16 && total.local_load.requests == 0) {
      const LineCounts* worst = nullptr;
      for (const LineCounts& line : use_.lines) {
        if (!worst || line.counts.global_load.requested_bytes > worst->counts.global_load.requested_bytes) worst = &line;
      }
      add(AdviceId::redundant_reads, worst, 0,
          "Each byte of the arguments' buffers is read " + spelled(times) + " times, at the least on average.");
    }
  }

  void shape(const Run& run) {
    const Configuration* longest = nullptr;
    for (const Configuration& one : use_.configurations) {
      if (one.counted) { longest = &one; break; }
    }
    if (!longest) return;
    const auto& capability = use_.report.capability;
    const auto occupancy = device::counters::occupancy(capability, longest->resources);
    const double needed = capability < device::counters::kCc12 ? 0.25 : 0.1875;
    if (occupancy.ratio() < needed) {
      using device::counters::OccupancyLimit;
      const char* const limit = occupancy.limit == OccupancyLimit::groups       ? "groups on a multiprocessor"
                                : occupancy.limit == OccupancyLimit::warps      ? "warps, of which groups are whole"
                                : occupancy.limit == OccupancyLimit::registers  ? "registers"
                                : occupancy.limit == OccupancyLimit::local_memory ? "local memory"
                                                                                : "the group, which does not fit at all";
      add(AdviceId::low_occupancy, nullptr, 0,
          spelled(occupancy.warps) + " of " + spelled(occupancy.max_warps) + " warps (" + spelled(100 * occupancy.ratio()) + " %). The limit: " + limit + ".");
    }
    const unsigned items = longest->resources.group_items;
    if (items % 32 != 0) add(AdviceId::group_size, nullptr, 0, "Groups of " + spelled(items) + " work-items.");
    const unsigned multiprocessors = run.gpu ? run.gpu->multiprocessors : device_multiprocessors(capability);
    if (longest->groups() < multiprocessors) {
      add(AdviceId::few_groups, nullptr, 0,
          spelled(static_cast<double>(longest->groups())) + (longest->groups() == 1 ? " group for " : " groups for ") + spelled(multiprocessors) + " multiprocessors.");
    }
    const Kernel& kernel = run.kernels[use_.kernel];
    if (kernel.argument_bytes > 128) {
      add(AdviceId::long_arguments, nullptr, 0,
          spelled(static_cast<double>(kernel.arguments)) + " arguments of " + spelled(static_cast<double>(kernel.argument_bytes)) + " bytes.");
    }
  }

 private:
  const KernelUse& use_;
  const std::size_t number_;
  SourceTexts& texts_;
  std::vector<Finding>& found_;
};

}  // namespace

void find_by_counters(const Run& run, const KernelUse& use, std::size_t number, SourceTexts& texts, std::vector<Finding>& found) {
  Finder finder(use, number, texts, found);
  for (const std::size_t launch : use.launches) {
    if (run.request(run.commands[launch]).status != -59) continue;  // CL_INVALID_OPERATION, as the runtime says of it
    finder.add(AdviceId::divergent_barrier, nullptr, 0, "A launch failed for it.");
    break;
  }
  if (use.counted == 0) return;
  finder.ended();
  for (const LineCounts& line : use.lines) {
    finder.global(line, line.counts.global_load, true);
    finder.global(line, line.counts.global_store, false);
    finder.local(line);
    finder.constant(line);
    finder.atomics(line);
    if (use.report.is_traced) finder.camping(line);
  }
  finder.divergence(run);
  finder.memory();
  finder.shape(run);
}

}  // namespace weft::profiler
