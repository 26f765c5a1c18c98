// Branches of warps and what divergence wastes.
#pragma once

#include <bit>
#include <cstdint>

namespace weft::device::counters {

/// A branch diverges where some of the warp's active lanes take it and some do not; both paths then run, one
/// after the other ("Optimizing CUDA" tutorial, "Control flow"). Units: branches of warps; instructions of
/// warps and lanes.
struct BranchCounts {
  std::uint64_t branches = 0;
  std::uint64_t divergent = 0;

  void branch(std::uint32_t active, std::uint32_t taken) {
    if (active == 0) return;
    ++branches;
    taken &= active;
    divergent += taken != 0 && taken != active;
  }
  /// The GPU profilers' branch_efficiency, from 0 to 1; 1 without branches.
  double efficiency() const {
    return branches ? static_cast<double>(branches - divergent) / static_cast<double>(branches) : 1;
  }
};

struct InstructionCounts {
  std::uint64_t warp = 0;  ///< inst_executed
  std::uint64_t lane = 0;  ///< thread_inst_executed

  void execute(std::uint32_t active, std::uint64_t instructions = 1) {
    warp += active ? instructions : 0;
    lane += instructions * static_cast<unsigned>(std::popcount(active));
  }
  /// warp_execution_efficiency: active lanes of each 32, from 0 to 1; 1 without instructions.
  double efficiency() const {
    return warp ? static_cast<double>(lane) / (32.0 * static_cast<double>(warp)) : 1;
  }
};

}  // namespace weft::device::counters
