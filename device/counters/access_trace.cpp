#include "device/counters/access_trace.h"

#include <algorithm>

#include "device/counters/global_memory.h"

namespace weft::device::counters {

AccessTrace::AccessTrace(Capability capability, std::uint32_t places)
    : capability_(capability), places_(places), cache_(texture_cache_bytes(capability)), lookups_(places) {}

void AccessTrace::begin_group(std::uint64_t wave) {
  cache_.begin_group();
  if (capability_ >= kCc20) return;
  wave_ = &waves_.try_emplace(wave, places_, PartitionSpread(partition_layout(capability_))).first->second;
}

void AccessTrace::global(std::uint32_t place, const AccessKind& kind, std::uint32_t mask, const std::uint64_t* address) {
  if (mask == 0 || !wave_) return;
  PartitionSpread& spread = (*wave_)[place];
  for_each_transaction(capability_, access_of(kind, mask, address), [&](std::uint64_t start, unsigned) { spread.add(start); });
}

void AccessTrace::texels(std::uint32_t place, std::uint16_t image, std::uint32_t mask, const std::uint64_t* number) {
  if (mask == 0) return;
  constexpr unsigned kImageShift = 27, kImages = 32;  // above the bits of a row of sectors
  texture_read(texels_of(mask, number), [&](std::uint64_t sector) {
    const bool hit = cache_.touch(sector ^ std::uint64_t{image % kImages} << kImageShift);
    ++(hit ? lookups_[place].hits : lookups_[place].misses);
  });
}

void AccessTrace::merge(const AccessTrace& other) {
  for (std::uint32_t place = 0; place < places_; ++place) {
    lookups_[place].hits += other.lookups_[place].hits;
    lookups_[place].misses += other.lookups_[place].misses;
  }
  for (const auto& [number, wave] : other.waves_) {
    const auto [mine, created] = waves_.try_emplace(number, wave);
    if (created) continue;
    for (std::uint32_t place = 0; place < places_; ++place) mine->second[place] += wave[place];
  }
}

void AccessTrace::add_to(std::vector<Counts>& lines, Counts& total) const {
  const auto add = [](Counts& to, const PartitionSpread& spread) {
    to.partition_transactions += spread.total();
    to.partition_steps += spread.fullest() * spread.partitions();
  };
  for (std::uint32_t place = 0; place < places_; ++place) {
    for (Counts* to : {&lines[place], &total}) {
      to->texture_hits += lookups_[place].hits;
      to->texture_misses += lookups_[place].misses;
    }
  }
  for (const auto& [number, wave] : waves_) {
    PartitionSpread all(partition_layout(capability_));
    for (std::uint32_t place = 0; place < places_; ++place) {
      add(lines[place], wave[place]);
      all += wave[place];
    }
    add(total, all);
  }
}

void AccessTrace::clear() {
  std::fill(lookups_.begin(), lookups_.end(), Lookups());
  waves_.clear();
  wave_ = nullptr;
}

}  // namespace weft::device::counters
