#include "device/counters/counted_kernel.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <map>
#include <mutex>
#include <new>

#include "device/counters/counts_names.h"

namespace weft::device::counters {

namespace {

bool is_before(const abi::SourcePlace& a, const abi::SourcePlace& b) {
  return a.file != b.file ? a.file < b.file : a.line < b.line;
}

#define WEFT_PLACE(sum) static_cast<std::uint32_t>(offsetof(Counts, sum) / sizeof(std::uint64_t))
/// What launches have beside the sums of their lines, in this order: their size and, if they are traced, what lines do not add up to.
constexpr std::uint32_t kOfLaunch[] = {WEFT_PLACE(groups), WEFT_PLACE(warps), WEFT_PLACE(groups_without_some)};
constexpr std::uint32_t kTraced[] = {WEFT_PLACE(partition_transactions), WEFT_PLACE(partition_steps), WEFT_PLACE(texture_hits),
                                     WEFT_PLACE(texture_misses)};
constexpr std::uint32_t kCostSums = sizeof(CostSums) / sizeof(std::uint64_t);

std::uint32_t place_of_cost(const abi::CountedSite& site) {
  Counts counts;
  const auto* const cost = reinterpret_cast<const std::byte*>(&counts.of(site.space, site.kind));
  return static_cast<std::uint32_t>((cost - reinterpret_cast<const std::byte*>(&counts)) / sizeof(std::uint64_t));
}

/// Adds the cost of so many accesses.
template <class T>
void add_times(std::uint64_t* sums, const CostFields<T>& cost, std::uint64_t times) {
  const auto fields = std::bit_cast<std::array<T, kCostSums>>(cost);
  for (std::uint32_t i = 0; i < kCostSums; ++i) sums[i] += times * fields[i];
}

}  // namespace

/// Finds out which sums there are, and what adds to them.
class CountedKernel::Maker {
 public:
  explicit Maker(CountedKernel& kernel) : kernel_(kernel), table_(kernel.table_) {}

  void make() {
    find_lines();
    for (const abi::CountedBlock& block : table_.blocks) add_block(block);
    for (const abi::CountedBranch& branch : table_.branches) {
      const std::uint32_t runs = table_.blocks[branch.block].word;
      if (runs == abi::kNoWord) continue;
      add(branch.place, WEFT_PLACE(branches), runs, 1);
      if (branch.word != abi::kNoWord) add(branch.place, WEFT_PLACE(divergent_branches), branch.word, 1);
    }
    std::vector<Key> sites;
    for (const abi::CountedSite& site : table_.sites) {
      sites.emplace_back(index_of(site.place), place_of_cost(site));
      for (std::uint32_t i = 0; i < kCostSums; ++i) sums_.try_emplace({sites.back().first, sites.back().second + i});
    }
    lay_out();
    for (const auto& [key, factor] : factors_) {
      if (factor) kernel_.terms_.push_back({key.second, sums_.at(key.first), factor});
    }
    for (const Key& site : sites) kernel_.site_sums_.push_back(sums_.at(site));
  }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  ///< a line and a place in names_of_sums

  void find_lines() {
    for (const abi::CountedBlock& block : table_.blocks) {
      for (const auto* list : {&block.lines, &block.issued, &block.predicated}) {
        for (const abi::CountedOperations& line : *list) lines_.push_back(line.place);
      }
    }
    for (const abi::CountedBranch& branch : table_.branches) lines_.push_back(branch.place);
    for (const abi::CountedSite& site : table_.sites) lines_.push_back(site.place);
    std::sort(lines_.begin(), lines_.end(), is_before);
    lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
  }

  std::uint32_t index_of(const abi::SourcePlace& place) const {
    return static_cast<std::uint32_t>(std::lower_bound(lines_.begin(), lines_.end(), place, is_before) - lines_.begin());
  }

  /// `times` each count of the word is one of the sum's.
  void add(const abi::SourcePlace& line, std::uint32_t place, std::uint32_t word, std::uint64_t times) {
    if (times == 0) return;
    const Key sum(index_of(line), place);
    sums_.try_emplace(sum);
    factors_[{sum, word}] += times;
  }

  void add_block(const abi::CountedBlock& block) {
    if (block.word == abi::kNoWord) return;
    const std::uint32_t runs = block.word, lanes = block.word + 1;
    const auto issue = [&](const abi::CountedOperations& of) {
      add(of.place, WEFT_PLACE(warp_arithmetic), runs, of.arithmetic);
      add(of.place, WEFT_PLACE(warp_memory), runs, of.memory);
      add(of.place, WEFT_PLACE(warp_control), runs, of.control);
      add(of.place, WEFT_PLACE(lane_arithmetic), lanes, of.arithmetic);
      add(of.place, WEFT_PLACE(lane_memory), lanes, of.memory);
      add(of.place, WEFT_PLACE(lane_control), lanes, of.control);
      add(of.place, WEFT_PLACE(barriers), runs, of.barriers);
    };
    const auto all_of = [](const abi::CountedOperations& of) { return std::uint64_t{of.arithmetic} + of.memory + of.control; };
    const auto execute = [&](const abi::CountedOperations& of) { add(of.place, WEFT_PLACE(lane_predicated_on), lanes, all_of(of)); };
    std::ranges::for_each(block.lines, issue);
    std::ranges::for_each(block.issued, issue);
    std::ranges::for_each(block.lines, execute);
    std::ranges::for_each(block.predicated, execute);
    // What runs under a predicate is issued with one block and executed, by a lane at least, as often as its own runs: the difference,
    // which only the sum over all blocks is sure to make positive, is what no lane executed.
    for (const abi::CountedOperations& of : block.issued) add(of.place, WEFT_PLACE(warp_predicated_off), runs, all_of(of));
    for (const abi::CountedOperations& of : block.predicated) add(of.place, WEFT_PLACE(warp_predicated_off), runs, 0 - all_of(of));
  }

  void lay_out() {
    static std::atomic<std::uint64_t> made{0};
    auto layout = std::make_shared<SumsLayout>();
    layout->id = ++made;
    layout->places.assign(std::begin(kOfLaunch), std::end(kOfLaunch));
    if (kernel_.model_.traces) layout->places.insert(layout->places.end(), std::begin(kTraced), std::end(kTraced));
    layout->of_launch = static_cast<std::uint32_t>(layout->places.size());
    for (std::uint32_t line = 0; line < lines_.size(); ++line) {
      if (kernel_.model_.traces) {
        for (const std::uint32_t place : kTraced) sums_.try_emplace({line, place});
      }
      const std::uint32_t file = lines_[line].file;
      layout->lines.push_back({file < table_.files.size() ? table_.files[file] : "", lines_[line].line, 0, 0});
    }
    for (auto& [key, number] : sums_) {
      SumsLayout::Line& line = layout->lines[key.first];
      number = static_cast<std::uint32_t>(layout->places.size());
      if (line.num_sums++ == 0) line.first = number;
      layout->places.push_back(key.second);
    }
    for (std::uint32_t i = 0; i < table_.sites.size(); ++i) {
      layout->sites.push_back({index_of(table_.sites[i].place), kernel_.access_class(kernel_.class_of(i)).kind});
    }
    kernel_.layout_ = std::move(layout);
  }

  CountedKernel& kernel_;
  const abi::CounterTable& table_;
  std::vector<abi::SourcePlace> lines_;
  std::map<Key, std::uint32_t> sums_;  ///< their numbers, once they are laid out
  std::map<std::pair<Key, std::uint32_t>, std::uint64_t> factors_;  ///< by sum and word
};

CountedKernel::CountedKernel(abi::CounterTable table, const Model& model) : table_(std::move(table)), model_(model) {
  for (const abi::CountedSite& site : table_.sites) {
    const AccessKind kind = kind_of(model_, site);
    const auto found =
        std::find_if(classes_.begin(), classes_.end(), [&](const AccessMemo::Class& one) { return one.kind == kind; });
    site_classes_.push_back(static_cast<std::uint32_t>(found - classes_.begin()));
    if (found == classes_.end()) classes_.push_back({kind, cost_bits(model_.capability, kind)});
  }
  for (std::uint32_t number = 0; number < table_.records.size(); ++number) {
    const abi::CountedRecord& record = table_.records[number];
    if (record.segment == 0) continue;
    if (record.word == abi::kNoWord && table_.blocks[record.block].word == abi::kNoWord) continue;
    counted_records_.push_back(number);
  }
  Maker(*this).make();
}

CountedKernel::~CountedKernel() = default;

std::unique_ptr<WorkerCounts> CountedKernel::take() const noexcept {
  {
    std::lock_guard guard(lock_);
    if (!idle_.empty()) {
      auto block = std::move(idle_.back());
      idle_.pop_back();
      return block;
    }
  }
  try {
    return std::make_unique<WorkerCounts>(*this);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void CountedKernel::give_back(std::unique_ptr<WorkerCounts> block) const noexcept {
  block->clear();
  std::lock_guard guard(lock_);
  try {
    idle_.push_back(std::move(block));
  } catch (const std::bad_alloc&) {
  }
}

/// Accesses: what was counted by where progressions start becomes costs.
void CountedKernel::add_records(WorkerCounts& from, std::vector<std::uint64_t>& sums) const {
  const std::uint64_t* const words = from.words();
  for (const std::uint32_t number : counted_records_) {
    const abi::CountedRecord& record = table_.records[number];
    const std::uint64_t* const times = words + (record.word == abi::kNoWord ? table_.blocks[record.block].word + 2 : record.word);
    for (std::uint32_t slot = 0; slot < record.slots; ++slot) {
      if (times[slot] != 0) add_times(sums.data() + site_sums_[record.site], from.start_cost(number, slot), times[slot]);
    }
  }
}

/// Of each thread's own trace, merged.
void CountedKernel::add_trace(const AccessTrace& trace, std::vector<std::uint64_t>& sums) const {
  std::vector<Counts> lines(layout_->lines.size());
  Counts total;
  trace.add_to(lines, total);
  const auto add = [&](const Counts& from, std::size_t first, std::size_t count) {
    const auto all = std::bit_cast<SumArray>(from);
    for (std::size_t i = first; i < first + count; ++i) sums[i] += all[layout_->places[i]];
  };
  add(total, 0, layout_->of_launch);
  for (std::size_t i = 0; i < lines.size(); ++i) add(lines[i], layout_->lines[i].first, layout_->lines[i].num_sums);
}

LaunchSums CountedKernel::sum(const std::vector<std::unique_ptr<WorkerCounts>>& blocks) const {
  LaunchSums result;
  result.layout = layout_;
  result.sums.resize(layout_->places.size());
  if (model_.samples) result.samples.resize(table_.sites.size());
  AccessTrace* trace = nullptr;
  for (const auto& block : blocks) {
    result.add_groups_without_some(block->groups_without_some());
    for (const Term& term : terms_) result.sums[term.sum] += block->words()[term.word] * term.factor;
    block->settle();
    for (std::size_t site = 0; site < site_sums_.size(); ++site) add_times(result.sums.data() + site_sums_[site], block->sites()[site], 1);
    add_records(*block, result.sums);
    for (std::size_t i = 0; i < result.samples.size(); ++i) result.samples[i].keep_worse(block->samples()[i]);
    if (!trace) trace = block->trace();
    else trace->merge(*block->trace());
  }
  if (trace) add_trace(*trace, result.sums);
  return result;
}

}  // namespace weft::device::counters
