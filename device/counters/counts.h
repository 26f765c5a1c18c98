// What a launch, or one source line of it, did: the sums that all counters are made of.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "device/counted_code.h"
#include "device/counters/access_cost.h"

namespace weft::device::counters {

/// Sums alone, so that they add up in any order. "Warp" counts an instruction once a warp, "lane" once for each live lane.
struct Counts {
  CostSums global_load, global_store, global_atomic, global_reduction;
  CostSums local_load, local_store, local_atomic, local_reduction;
  CostSums private_load, private_store;
  CostSums constant_load;
  CostSums image_load, image_store;
  std::uint64_t warp_arithmetic = 0, warp_memory = 0, warp_control = 0;
  std::uint64_t lane_arithmetic = 0, lane_memory = 0, lane_control = 0;  ///< a lane whose predicate is false counts
  std::uint64_t lane_predicated_on = 0;  ///< the sum of the three without such lanes
  std::uint64_t warp_predicated_off = 0;  ///< of warp_instructions(): under a predicate that no lane's is true of
  std::uint64_t barriers = 0;  ///< once a warp
  std::uint64_t branches = 0, divergent_branches = 0;  ///< conditional ones of the source
  std::uint64_t groups = 0, warps = 0;                 ///< launched; 0 for a line
  std::uint64_t groups_without_some = 0;  ///< abi::GroupStatus::kDoneWithoutSome; 0 for a line
  // Of traced launches (access_trace.h):
  std::uint64_t partition_transactions = 0;  ///< of global memory, on 1.x
  /// The transactions that there would be if in each wave all partitions had as many as the fullest.
  std::uint64_t partition_steps = 0;
  std::uint64_t texture_hits = 0, texture_misses = 0;  ///< sectors of image reads

  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;

  CostSums& of(abi::CountedSpace space, abi::CountedKind kind);

  std::uint64_t warp_instructions() const { return warp_arithmetic + warp_memory + warp_control; }
  std::uint64_t lane_instructions() const { return lane_arithmetic + lane_memory + lane_control; }
};

struct LineCounts {
  std::string file;
  std::uint32_t line = 0;  ///< 0: not known
  Counts counts;
};

}  // namespace weft::device::counters
