// The sums of a launch by name, for those who write them down and read them again.
#pragma once

#include <array>
#include <bit>

#include "device/counters/counts.h"

namespace weft::device::counters {

/// Calls f(name, sum) for each sum of a cost.
template <class Costs, class F>
constexpr void for_each_sum_of_cost(Costs& cost, F&& f) {
  f("requests", cost.requests);
  f("transactions", cost.transactions);
  f("transactions_32", cost.transactions_32);
  f("transactions_64", cost.transactions_64);
  f("transactions_128", cost.transactions_128);
  f("incoherent", cost.incoherent);
  f("sectors", cost.sectors);
  f("passes", cost.passes);
  f("conflicts", cost.conflicts);
  f("requested_bytes", cost.requested_bytes);
  f("transferred_bytes", cost.transferred_bytes);
  f("fewest", cost.fewest);
}
static_assert(sizeof(CostSums) == 12 * sizeof(std::uint64_t), "a sum without a name");

/// Calls f(name, cost) for each kind of access.
template <class C, class F>
constexpr void for_each_cost(C& counts, F&& f) {
  f("global_load", counts.global_load);
  f("global_store", counts.global_store);
  f("global_atomic", counts.global_atomic);
  f("global_reduction", counts.global_reduction);
  f("local_load", counts.local_load);
  f("local_store", counts.local_store);
  f("local_atomic", counts.local_atomic);
  f("local_reduction", counts.local_reduction);
  f("private_load", counts.private_load);
  f("private_store", counts.private_store);
  f("constant_load", counts.constant_load);
  f("image_load", counts.image_load);
  f("image_store", counts.image_store);
}

/// Calls f(name, sum) for each other sum.
template <class C, class F>
constexpr void for_each_sum(C& counts, F&& f) {
  f("warp_arithmetic", counts.warp_arithmetic);
  f("warp_memory", counts.warp_memory);
  f("warp_control", counts.warp_control);
  f("lane_arithmetic", counts.lane_arithmetic);
  f("lane_memory", counts.lane_memory);
  f("lane_control", counts.lane_control);
  f("lane_predicated_on", counts.lane_predicated_on);
  f("warp_predicated_off", counts.warp_predicated_off);
  f("barriers", counts.barriers);
  f("branches", counts.branches);
  f("divergent_branches", counts.divergent_branches);
  f("groups", counts.groups);
  f("warps", counts.warps);
  f("groups_without_some", counts.groups_without_some);
  f("partition_transactions", counts.partition_transactions);
  f("partition_steps", counts.partition_steps);
  f("texture_hits", counts.texture_hits);
  f("texture_misses", counts.texture_misses);
}
static_assert(sizeof(Counts) == 13 * sizeof(CostSums) + 18 * sizeof(std::uint64_t), "a sum without a name");

/// Those of a cost.
inline std::vector<std::string> names_of_costs() {
  std::vector<std::string> names;
  const CostSums cost;
  for_each_sum_of_cost(cost, [&](const char* name, std::uint64_t) { names.emplace_back(name); });
  return names;
}

/// All of these, in an order of theirs: "global_load.requests", ..., "warp_arithmetic", ...
inline std::vector<std::string> names_of_sums() {
  std::vector<std::string> names;
  Counts counts;
  for_each_cost(counts, [&](const char* of, auto& cost) {
    for_each_sum_of_cost(cost, [&](const char* name, std::uint64_t&) { names.push_back(std::string(of) + '.' + name); });
  });
  for_each_sum(counts, [&](const char* name, std::uint64_t&) { names.emplace_back(name); });
  return names;
}

/// Calls f(place in names_of_sums, sum) for each.
template <class C, class F>
constexpr void for_each_numbered_sum(C& counts, F&& f) {
  unsigned place = 0;
  for_each_cost(counts, [&](const char*, auto& cost) {
    for_each_sum_of_cost(cost, [&](const char*, auto& sum) { f(place++, sum); });
  });
  for_each_sum(counts, [&](const char*, auto& sum) { f(place++, sum); });
}

/// A place in names_of_sums is one in this, too.
using SumArray = std::array<std::uint64_t, sizeof(Counts) / sizeof(std::uint64_t)>;
static_assert([] {
  SumArray places{};
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  bool same = true;
  const Counts counts = std::bit_cast<Counts>(places);
  for_each_numbered_sum(counts, [&](unsigned place, std::uint64_t sum) { same &= sum == place; });
  return same;
}(), "sums are named in another order than they are kept");

}  // namespace weft::device::counters
