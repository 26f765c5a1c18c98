// The index space of a launch (OpenCL 3.0 API §5.10): its checks, and a work-group size where none is given.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/compiler_api.h"
#include "runtime/error.h"

namespace weft::runtime {

using Sizes = std::array<std::size_t, 3>;  ///< work-items; 1 (offsets: 0) beyond the work dimension

struct NDRange {
  std::uint32_t work_dim = 1;
  Sizes global{1, 1, 1};
  Sizes offset{0, 0, 0};
  Sizes local{1, 1, 1};
  unsigned turned = 0;  ///< the dimension that has been exchanged with x

  bool is_empty() const { return global[0] == 0 || global[1] == 0 || global[2] == 0; }
  std::size_t num_groups(unsigned dimension) const { return (global[dimension] + local[dimension] - 1) / local[dimension]; }
  std::size_t num_groups() const { return num_groups(0) * num_groups(1) * num_groups(2); }
};

/// The groups of an index space that have one size.
struct RangePart {
  Sizes first_group{0, 0, 0};
  NDRange range;  ///< their work-items, at the offset of the first
};

/// The parts of an index space that is not empty, that of most work-items first: one where all groups have the local size, else up to 8,
/// since the last group along a dimension may have fewer work-items (OpenCL 3.0 API §5.10).
std::vector<RangePart> parts_of(const NDRange& range);

/// Checks what clEnqueueNDRangeKernel is given for a kernel and completes it. Null sizes are allowed as
/// there. Throws Error. `num_workers` guides the choice of a local size.
NDRange make_ndrange(const compiler::KernelInfo& kernel, std::uint32_t work_dim,
                     const std::size_t* global_offset, const std::size_t* global_size,
                     const std::size_t* local_size, unsigned num_workers);

/// CL_KERNEL_WORK_GROUP_SIZE: work-items of a group whose private memory a worker has room for.
std::size_t max_work_group_size(const compiler::KernelInfo& kernel);

/// A local size for a kernel that asks for none: divides the global size; whole warps along x and 128 to 256
/// work-items where that allows it, else rows that leave few lanes idle; enough groups for all workers.
Sizes choose_local_size(std::uint32_t work_dim, const Sizes& global, unsigned num_workers);

/// `range` in groups as tall as its kernel has them best, where no work-item can tell (KernelInfo::tall_rows, which is the fewest that serve; 32 or, where
/// that does not divide the range, fewer, as 30 of 1080) and workers have enough of them.
NDRange in_tall_groups(const compiler::KernelInfo& kernel, const NDRange& range, unsigned num_workers);

/// `range` as its launch runs: with x exchanged with the dimension that its kernel's memory lies along (KernelInfo::turned), where that fills warps, in
/// tall groups.
NDRange as_it_runs(const compiler::KernelInfo& kernel, const NDRange& range, unsigned num_workers);

/// What to compile a kernel for.
struct LaunchCode {
  compiler::Specialization best;    ///< for the launch
  bool in_background = false;       ///< the code is never made within the call that asks for it
  std::uint32_t first_groups = 1;   ///< of a block where there is no code yet: runs the launch, and those that may follow better
  /// Where a row's groups are no whole blocks as large as its memory asks for: groups of such a block, of which code runs most of each row, and `best` the
  /// rest; 0: `best` runs all.
  std::uint32_t most_groups = 0;
  bool first_soon = false;          ///< where there is no code yet, that which takes the least time to make (Specialization::soon)
  /// Of a launch along x that any groups serve (KernelInfo::has_any_groups): its work-items; else 0.
  std::size_t any_groups_of = 0;

  compiler::Specialization first() const {
    compiler::Specialization spec = best;
    if (first_groups != best.groups) spec.whole_blocks = false;
    spec.groups = first_groups;
    spec.streams = false;
    spec.soon = first_soon && spec.groups * spec.local_size[0] * spec.local_size[1] * spec.local_size[2] != 1;  // which is scalar code
    return spec;
  }
};

/// `num_workers` bounds how many groups become one block.
LaunchCode specialization_of(const compiler::KernelInfo& kernel, const NDRange& range, unsigned num_workers, bool required_only = false,
                             bool counted = false);

/// The same of a part of `whole`. `shares_code`: with other parts, whatever the size of their groups.
LaunchCode specialization_of_part(const compiler::KernelInfo& kernel, const NDRange& whole, const RangePart& part, bool shares_code,
                                  unsigned num_workers, bool required_only, bool counted);

}  // namespace weft::runtime
