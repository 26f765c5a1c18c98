#include "device/counters/counted_kernel.h"

#include <algorithm>
#include <mutex>
#include <new>

namespace weft::device::counters {

namespace {

bool is_before(const abi::SourcePlace& a, const abi::SourcePlace& b) {
  return a.file != b.file ? a.file < b.file : a.line < b.line;
}

}  // namespace

CountedKernel::CountedKernel(abi::CounterTable table, const Model& model) : table_(std::move(table)), model_(model) {
  for (const abi::CountedBlock& block : table_.blocks) {
    for (const auto* list : {&block.lines, &block.issued, &block.predicated}) {
      for (const abi::CountedOperations& line : *list) places_.push_back(line.place);
    }
  }
  for (const abi::CountedBranch& branch : table_.branches) places_.push_back(branch.place);
  for (const abi::CountedSite& site : table_.sites) {
    places_.push_back(site.place);
    const AccessKind kind = kind_of(model_, site);
    const auto found =
        std::find_if(classes_.begin(), classes_.end(), [&](const AccessMemo::Class& one) { return one.kind == kind; });
    site_classes_.push_back(static_cast<std::uint32_t>(found - classes_.begin()));
    if (found == classes_.end()) classes_.push_back({kind, cost_bits(model_.capability, kind)});
  }
  std::sort(places_.begin(), places_.end(), is_before);
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
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

std::uint32_t CountedKernel::index_of(const abi::SourcePlace& place) const {
  return static_cast<std::uint32_t>(std::lower_bound(places_.begin(), places_.end(), place, is_before) - places_.begin());
}

/// Instructions, barriers and branches.
void CountedKernel::add_blocks(const WorkerCounts& from, std::vector<Counts>& lines) const {
  for (const abi::CountedBlock& block : table_.blocks) {
    if (block.word == abi::kNoWord) continue;
    const std::uint64_t runs = from.words()[block.word], lanes = from.words()[block.word + 1];
    if (runs == 0) continue;
    const auto issue = [&](const abi::CountedOperations& of) {
      Counts& line = lines[index_of(of.place)];
      line.warp_arithmetic += runs * of.arithmetic;
      line.warp_memory += runs * of.memory;
      line.warp_control += runs * of.control;
      line.lane_arithmetic += lanes * of.arithmetic;
      line.lane_memory += lanes * of.memory;
      line.lane_control += lanes * of.control;
      line.barriers += runs * of.barriers;
    };
    const auto execute = [&](const abi::CountedOperations& of) {
      lines[index_of(of.place)].lane_predicated_on += lanes * (of.arithmetic + of.memory + of.control);
    };
    // What runs under a predicate is issued with one block and executed, by a lane at least, as often as its own runs: the difference,
    // which only the sum over all blocks is sure to make positive, is what no lane executed.
    const auto add_off = [&](const abi::CountedOperations& of, std::uint64_t times) {
      lines[index_of(of.place)].warp_predicated_off += times * (of.arithmetic + of.memory + of.control);
    };
    std::ranges::for_each(block.lines, issue);
    std::ranges::for_each(block.issued, issue);
    std::ranges::for_each(block.lines, execute);
    std::ranges::for_each(block.predicated, execute);
    for (const abi::CountedOperations& of : block.issued) add_off(of, runs);
    for (const abi::CountedOperations& of : block.predicated) add_off(of, 0 - runs);
  }
  for (const abi::CountedBranch& branch : table_.branches) {
    if (table_.blocks[branch.block].word == abi::kNoWord) continue;
    Counts& line = lines[index_of(branch.place)];
    line.branches += from.words()[table_.blocks[branch.block].word];
    if (branch.word != abi::kNoWord) line.divergent_branches += from.words()[branch.word];
  }
}

/// Accesses: what was counted by where progressions start becomes costs.
void CountedKernel::add_records(WorkerCounts& from, std::vector<CostSums>& sites) const {
  for (std::uint32_t site = 0; site < table_.sites.size(); ++site) sites[site] += from.sites()[site];
  for (std::uint32_t number = 0; number < table_.records.size(); ++number) {
    const abi::CountedRecord& record = table_.records[number];
    if (record.segment == 0) continue;
    const std::uint64_t* const words = from.words();
    const std::uint32_t block_word = table_.blocks[record.block].word;
    if (record.word == abi::kNoWord && block_word == abi::kNoWord) continue;
    for (std::uint32_t slot = 0; slot < record.slots; ++slot) {
      const std::uint64_t times =
          record.word == abi::kNoWord ? words[block_word + 2] : words[record.word + slot];
      if (times == 0) continue;
      std::uint64_t address[kWarpSize];
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const std::uint32_t part = lane / record.segment;
        address[lane] = kProgressionBase + std::uint64_t{slot} * record.granule + (part ? words[record.deltas + part - 1] : 0) +
                        static_cast<std::uint64_t>(record.stride) * (lane % record.segment);
      }
      sites[record.site].add(from.cost(number, ~0u, address), times);
      if (model_.samples) from.sample(number, ~0u, address);
    }
  }
}

LaunchCounts CountedKernel::sum(const std::vector<std::unique_ptr<WorkerCounts>>& blocks) const {
  std::vector<Counts> lines(places_.size());
  std::vector<CostSums> sites(table_.sites.size());
  std::vector<AccessSample> samples(model_.samples ? table_.sites.size() : 0);
  AccessTrace* trace = nullptr;
  for (const auto& block : blocks) {
    add_blocks(*block, lines);
    block->settle();
    add_records(*block, sites);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i].keep_worse(block->samples()[i]);
    if (!trace) trace = block->trace();
    else trace->merge(*block->trace());
  }
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const abi::CountedSite& site = table_.sites[i];
    lines[index_of(site.place)].of(site.space, site.kind) += sites[i];
  }
  LaunchCounts result;
  for (const Counts& line : lines) result.total += line;
  if (trace) trace->add_to(lines, result.total);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (lines[i] == Counts()) continue;
    const std::uint32_t file = places_[i].file;
    result.lines.push_back({file < table_.files.size() ? table_.files[file] : "", places_[i].line, lines[i]});
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].mask == 0) continue;
    const abi::SourcePlace& place = table_.sites[i].place;
    result.accesses.push_back({place.file < table_.files.size() ? table_.files[place.file] : "", place.line,
                               access_class(class_of(static_cast<std::uint32_t>(i))).kind, samples[i]});
  }
  return result;
}

}  // namespace weft::device::counters
