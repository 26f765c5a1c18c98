#include "runtime/record_counts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "device/counters/counts_names.h"
#include "runtime/record_text.h"

namespace weft::runtime {

using device::counters::LaunchReport;

namespace {

/// From a multiple of 256 bytes: costs repeat after that at most, and where a buffer begins says nothing.
std::array<std::uint64_t, 32> relative_addresses(const device::counters::AccessSample& sample) {
  std::uint64_t base = UINT64_MAX;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (sample.mask >> lane & 1) base = std::min(base, sample.address[lane]);
  }
  base &= ~std::uint64_t{255};
  std::array<std::uint64_t, 32> addresses{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (sample.mask >> lane & 1) addresses[lane] = sample.address[lane] - base;
  }
  return addresses;
}

}  // namespace

RecordedCounts::Shape& RecordedCounts::shape_of(std::uint64_t kernel, const LaunchReport& report, std::string& text) {
  auto [found, is_new] = shapes_.try_emplace({report.counts.layout->id, kernel, report.resources});
  Shape& shape = found->second;
  if (is_new) {
    shape.number = shapes_.size();
    shape.sums.resize(report.counts.sums.size());
    text += shape_text(kernel, report).number("shape", shape.number).line();
  }
  return shape;
}

std::uint64_t RecordedCounts::access_number(const AccessKey& key, const LaunchReport& report, std::string& text) {
  auto [found, is_new] = accesses_.try_emplace(key, accesses_.size() + 1);
  if (!is_new) return found->second;
  const device::counters::AccessSample& sample = report.counts.samples[key.site];
  std::vector<std::uint64_t> list = {0, 0, found->second, key.shape, key.site, sample.mask};
  device::counters::for_each_sum_of_cost(sample.cost, [&](const char*, std::uint32_t value) { list.push_back(value); });
  std::ranges::copy(relative_addresses(sample), std::back_inserter(list));
  add_list(text, list);
  return found->second;
}

std::uint64_t RecordedCounts::number(std::uint64_t kernel, const LaunchReport& report, std::string& text) {
  Shape& shape = shape_of(kernel, report, text);
  const std::vector<std::uint64_t>& sums = report.counts.sums;
  if (shape.last && sums == shape.sums) return shape.last;
  auto [known, is_new] = shape.counts.try_emplace(hash_of(sums.data(), sums.size() * sizeof sums[0]), counts_ + 1);
  if (!is_new) return known->second;
  const std::uint64_t number = ++counts_;
  list_ = {0, number, shape.number, shape.last, 0};
  for (std::uint32_t site = 0; site < report.counts.samples.size(); ++site) {
    const device::counters::AccessSample& sample = report.counts.samples[site];
    if (sample.mask == 0) continue;
    list_.push_back(access_number({shape.number, site, static_cast<std::uint32_t>(std::popcount(sample.mask)), sample.cost}, report, text));
  }
  list_[4] = list_.size() - 5;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] == shape.sums[i]) continue;
    list_.push_back(i);
    list_.push_back(sums[i]);
  }
  add_list(text, list_);
  shape.sums = sums;
  shape.last = number;
  return number;
}

}  // namespace weft::runtime
