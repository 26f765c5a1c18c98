// How many work-groups and warps of a kernel fit on a multiprocessor at once.
#pragma once

#include <cstdint>

#include "device/counters/capability.h"

namespace weft::device::counters {

/// A multiprocessor's limits. Registers are of 32 bits.
struct MultiprocessorLimits {
  unsigned group_items;           ///< work-items a work-group
  unsigned groups;                ///< resident work-groups
  unsigned warps;                 ///< resident warps
  unsigned registers;             ///< of the multiprocessor
  unsigned item_registers;        ///< most for a work-item
  unsigned local_bytes;           ///< of the multiprocessor
  unsigned group_local_bytes;     ///< most for a work-group
  unsigned register_granularity;  ///< registers are given out in multiples: to a work-group (1.x), to a warp
                                  ///< (later)
  unsigned local_granularity;     ///< bytes
  unsigned reserved_local_bytes;  ///< taken by the system for each work-group
  unsigned sub_partitions;        ///< registers lie in as many parts; a warp's must lie in one
};

/// 1.x: Programming Guide Appendix A.1 and §3.2, Best Practices Guide §4.2. Later: CUDA C Programming Guide,
/// "Features and Technical Specifications", and the CUDA toolkit's occupancy calculator.
const MultiprocessorLimits& multiprocessor_limits(Capability capability);

/// What a kernel's launch asks for.
struct KernelResources {
  unsigned group_items = 0;     ///< work-items a work-group
  unsigned item_registers = 0;  ///< registers a work-item
  unsigned local_bytes = 0;     ///< local memory a work-group, static and by argument
  unsigned argument_bytes =
      0;  ///< kernel arguments; on 1.x they lie in local memory (Programming Guide §3.2)
  bool operator==(const KernelResources&) const = default;
};

enum class OccupancyLimit : std::uint8_t { groups, warps, registers, local_memory, launch_fails };

struct Occupancy {
  unsigned groups = 0;                                  ///< resident work-groups
  unsigned warps = 0;                                   ///< resident warps
  unsigned max_warps = 0;                               ///< that the multiprocessor could hold
  OccupancyLimit limit = OccupancyLimit::launch_fails;  ///< what keeps one more work-group out

  double ratio() const { return max_warps ? static_cast<double>(warps) / max_warps : 0; }
};

/// Registers and bytes of local memory that a work-group takes, granularity included.
unsigned group_registers(Capability capability, const KernelResources& kernel);
unsigned group_local_bytes(Capability capability, const KernelResources& kernel);

/// Zero groups, with launch_fails, for a work-group that does not fit on an empty multiprocessor.
Occupancy occupancy(Capability capability, const KernelResources& kernel);

}  // namespace weft::device::counters
