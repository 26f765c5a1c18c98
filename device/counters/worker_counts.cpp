#include "device/counters/worker_counts.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "device/counters/counted_kernel.h"

namespace weft::device::counters {

namespace {

/// Keeps the words of two threads off one line, wherever the allocator puts them.
constexpr std::size_t kLineWords = 16;
constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;
/// Runs of a record that are considered for its sample in each launch: what an access does shows early, and a model's run costs.
constexpr std::uint32_t kLooks = 64;

/// Of one access.
AccessCost narrowed(const CostSums& cost) {
  AccessCost one;
  one += cost;
  return one;
}

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
  bank_sums_.resize(sites_.size());
  scattered_.resize(sites_.size());
  repeating_.reserve(kRepeated);
  std::uint32_t starts = 0;
  for (const abi::CountedRecord& record : kernel.table().records) {
    first_start_.push_back(starts);
    if (record.segment == kWarpSize) starts += record.slots;
    const AccessKind& kind = kernel.access_class(kernel.class_of(record.site)).kind;
    count_sectors_.push_back(count_sectors(kernel.model().capability, kind));
    shifts_.push_back(progression_shift(kernel.model().capability, kind, record));
    banks_.push_back(have_bank_steps(kernel.model().capability, kind) ? &bank_sums_[record.site] : nullptr);
  }
  start_costs_.resize(starts);
  if (kernel.model().samples) {
    samples_.resize(kernel.table().sites.size());
    looked_at_.resize(kernel.table().records.size());
  }
  if (kernel.model().traces) trace_.emplace(kernel.model().capability, kernel.num_lines());
  clear();
}

void WorkerCounts::clear() {
  groups_without_some_ = 0;
  std::fill(words_.begin(), words_.end(), 0);
  for (const abi::CountedRecord& record : kernel_.table().records) {
    std::fill_n(words_.begin() + record.deltas, deltas_of(record), static_cast<std::uint64_t>(abi::kNoDelta));
  }
  std::fill(sites_.begin(), sites_.end(), CostSums());
  for (const std::uint16_t used : repeating_) repeated_[used] = {};
  repeating_.clear();
  std::fill(bank_sums_.begin(), bank_sums_.end(), BankSums());
  std::fill(scattered_.begin(), scattered_.end(), ScatteredSums());
  if (trace_) trace_->clear();
  for (AccessSample& sample : samples_) sample.mask = 0;
  std::fill(looked_at_.begin(), looked_at_.end(), 0);
}

const AccessCost& WorkerCounts::cost(std::uint32_t record, std::uint32_t mask, const std::uint64_t* address) {
  const std::uint32_t number = kernel_.class_of(kernel_.table().records[record].site);
  return memo_.cost(number, kernel_.access_class(number), mask, address, hints_[record]);
}

void WorkerCounts::repeat(std::uint32_t number, const abi::CountedRecord& record, std::uint32_t mask,
                          const std::uint64_t* starts) {
  const std::uint64_t start = starts[0] & kernel_.access_class(kernel_.class_of(record.site)).bits;
  std::uint64_t hash = (std::uint64_t{mask} << 32 | number) * kMix + start;
  hash *= kMix;
  Repeated& here = repeated_[hash >> (64 - std::countr_zero(kRepeated))];
  bool same = here.record == number && here.mask == mask && here.start == start;
  const std::uint32_t others = deltas_of(record);
  for (std::uint32_t i = 0; i < others; ++i) same &= here.distance[i] == starts[i + 1] - starts[0];
  if (!same) {
    if (here.mask == 0) repeating_.push_back(static_cast<std::uint16_t>(&here - repeated_.data()));
    settle(here);
    here.record = number;
    here.mask = mask;
    here.start = start;
    for (std::uint32_t i = 0; i < others; ++i) here.distance[i] = starts[i + 1] - starts[0];
  }
  ++here.times;
}

void WorkerCounts::settle(Repeated& repeated) {
  if (repeated.times == 0) return;
  const abi::CountedRecord& record = kernel_.table().records[repeated.record];
  const unsigned shift = std::countr_zero(record.segment);
  std::uint64_t address[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const unsigned segment = lane >> shift;
    address[lane] = kProgressionBase + repeated.start + (segment ? repeated.distance[segment - 1] : 0) +
                    static_cast<std::uint64_t>(record.stride) * (lane & (record.segment - 1));
  }
  sites_[record.site].add(cost(repeated.record, repeated.mask, address), std::exchange(repeated.times, 0));
}

void WorkerCounts::settle() {
  for (const std::uint16_t used : repeating_) settle(repeated_[used]);
  for (std::size_t site = 0; site < sites_.size(); ++site) {
    if (bank_sums_[site].lanes) sites_[site] += std::exchange(bank_sums_[site], {}).cost();
    if (scattered_[site].times) sites_[site] += std::exchange(scattered_[site], {}).cost();
  }
}

/// The lanes' addresses from those of each segment's first lane.
void WorkerCounts::expand(const abi::CountedRecord& record, const std::uint64_t* starts, std::uint64_t* address) const {
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    address[lane] = kProgressionBase + starts[lane / record.segment] + static_cast<std::uint64_t>(record.stride) * (lane % record.segment);
  }
}

bool WorkerCounts::is_sample(std::uint32_t number, const AccessCost& cost, std::uint32_t mask) const {
  const std::uint32_t site = kernel_.table().records[number].site;
  return samples_[site].is_less_than(cost, mask) && kernel_.table().sites[site].space != abi::CountedSpace::kImage;
}

void WorkerCounts::sample(std::uint32_t number, const AccessCost& cost, std::uint32_t mask, const std::uint64_t* address) {
  AccessSample& kept = samples_[kernel_.table().records[number].site];
  std::copy_n(address, kWarpSize, kept.address.begin());
  kept.mask = mask;
  kept.cost = cost;
}

/// Of the lanes of a full run.
void WorkerCounts::start_addresses(const abi::CountedRecord& record, std::uint32_t slot, std::uint64_t* address) const {
  const std::uint64_t first = kProgressionBase + std::uint64_t{slot} * record.granule;
  for (unsigned part = 0; part < kWarpSize / record.segment; ++part) {
    std::uint64_t at = first + (part ? words_[record.deltas + part - 1] : 0);
    for (unsigned lane = 0; lane < record.segment; ++lane, at += static_cast<std::uint64_t>(record.stride)) *address++ = at;
  }
}

const AccessCost& WorkerCounts::start_cost(std::uint32_t number, std::uint32_t slot) {
  const abi::CountedRecord& record = kernel_.table().records[number];
  std::uint64_t address[kWarpSize];
  const AccessCost* known = nullptr;
  if (record.segment == kWarpSize) {  // no distances that each launch has its own of
    AccessCost& start = start_costs_[first_start_[number] + slot];
    if (start.requests == 0) {
      start_addresses(record, slot, address);
      start = cost(number, ~0u, address);
    }
    known = &start;
  } else {
    start_addresses(record, slot, address);
    known = &cost(number, ~0u, address);
  }
  if (!samples_.empty() && is_sample(number, *known, ~0u)) {
    start_addresses(record, slot, address);
    sample(number, *known, ~0u, address);
  }
  return *known;
}

void WorkerCounts::trace(std::uint32_t number, std::uint32_t mask, const std::uint64_t* address) {
  const abi::CountedSite& site = kernel_.table().sites[number];
  if (site.space == abi::CountedSpace::kGlobal) {
    trace_->global(kernel_.line_of(number), kernel_.access_class(kernel_.class_of(number)).kind, mask, address);
  } else if (site.space == abi::CountedSpace::kImage && site.kind == abi::CountedKind::kLoad) {
    trace_->texels(kernel_.line_of(number), site.image, mask, address);
  }
}

void WorkerCounts::count(std::uint32_t number, std::uint32_t mask, const std::uint64_t* given) {
  if (mask == 0) return;
  const abi::CountedRecord& record = kernel_.table().records[number];
  if (trace_) trace(record.site, mask, given);
  const std::uint32_t deltas = deltas_of(record);
  if (deltas != 0 && mask == ~0u && words_[record.deltas] == static_cast<std::uint64_t>(abi::kNoDelta)) {
    // From now on the code counts runs like this one itself.
    const unsigned step = record.by_segment ? 1 : record.segment;
    for (std::uint32_t i = 0; i < deltas; ++i) words_[record.deltas + i] = given[(i + 1) * step] - given[0];
  }
  const bool is_looked_at = !samples_.empty() && looked_at_[number] < kLooks;
  if (is_looked_at) ++looked_at_[number];
  const auto look = [&](const AccessCost& run) {
    if (!is_looked_at || !is_sample(number, run, mask)) return;
    std::uint64_t address[kWarpSize];
    if (record.by_segment) expand(record, given, address);
    sample(number, run, mask, record.by_segment ? address : given);
  };
  const auto add_scattered = [&](unsigned sectors) {
    const AccessKind& kind = kernel_.access_class(kernel_.class_of(record.site)).kind;
    ScatteredSums one;
    one.add(sectors, static_cast<unsigned>(std::popcount(mask)) * kind.width);
    scattered_[record.site] += one;
    if (is_looked_at) look(narrowed(one.cost()));
  };
  if (record.by_segment) {
    if (shifts_[number] != kNoShift) return add_scattered(progression_sectors(given[0], shifts_[number], mask));
    if (is_looked_at) {
      std::uint64_t address[kWarpSize];
      expand(record, given, address);
      look(cost(number, mask, address));
    }
    return repeat(number, record, mask, given);
  }
  if (BankSums* const banks = banks_[number]) {
    const BankSteps known = count_bank_steps_(given, mask);
    if (known.steps != 0) {
      BankSums one;
      one.add(known);
      if (is_looked_at) look(narrowed(one.cost()));
      return banks->add(known);
    }
  }
  const std::uint32_t class_number = kernel_.class_of(record.site);
  const AccessMemo::Class& kind = kernel_.access_class(class_number);
  if (const AccessCost* const same = memo_.find(class_number, kind, mask, given, hints_[number])) {
    sites_[record.site] += *same;
    return look(*same);
  }
  if (const CountSectors sectors_of = count_sectors_[number]) {
    if (const unsigned sectors = sectors_of(given, mask)) return add_scattered(sectors);
  }
  const AccessCost& run = cost(number, mask, given);
  sites_[record.site] += run;
  look(run);
}

}  // namespace weft::device::counters
