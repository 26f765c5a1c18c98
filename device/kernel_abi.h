// The kernel ABI: what compiled kernels and the SIMT engine agree on.
//
// This is the one header that `compiler/` and `device/` share. It knows neither
// LLVM nor OpenCL API types. Layouts are fixed: generated code addresses fields by
// `offsetof`. Any change here bumps `kAbiVersion`, which is part of every cache key.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::abi {

inline constexpr std::uint32_t kAbiVersion = 3;

/// Lanes of a warp (OpenCL Programming Guide for the CUDA Architecture §2.1.1).
inline constexpr std::uint32_t kWarpSize = 32;

/// Largest number of work-items of a work-group, in total and in each dimension.
inline constexpr std::uint32_t kMaxWorkGroupSize = 1024;

/// Bytes that may be read, and written back, past the end of a group's local memory, so that accesses of whole vectors of
/// which only some elements are wanted need no mask.
inline constexpr std::size_t kLocalMemoryPadding = 4096;

/// Alignment of local memory, of scratch and of each `__local` argument; static local variables have their own, at least 16.
inline constexpr std::size_t kLocalMemoryAlign = 128;

/// Functions of the host that kernels call. Owned by the engine.
struct Services {
  /// Formats one work-item's printf. `format` is the NUL-terminated format string,
  /// `arguments` the packed arguments: each promoted argument at the next offset
  /// aligned to min(its size, 8); `%s` as a pointer; a vector as its elements, a
  /// 3-vector as 4 of them. `launch_state` is LaunchInfo::state.
  void (*print)(void* launch_state, const char* format, const void* arguments, std::uint32_t size);
};

/// One launch of a kernel over an NDRange; read-only to the kernel, shared by all groups.
struct LaunchInfo {
  std::uint64_t global_size[3];    ///< work-items
  std::uint64_t global_offset[3];  ///< work-items
  std::uint64_t local_size[3];     ///< work-items of a group (enqueued size)
  std::uint64_t num_groups[3];
  std::uint32_t work_dim;          ///< 1 to 3
  std::uint32_t reserved;
  /// Packed kernel arguments, laid out by KernelArg::offset. A buffer is its host address
  /// (or null), a `__local` pointer the byte offset of its block from GroupInfo::local_memory
  /// (64 bits), anything else its value.
  const std::byte* arguments;
  const Services* services;
  void* state;                     ///< the engine's own, handed back to services
};

/// The group that runs now, one a worker.
struct GroupInfo {
  std::uint64_t group_id[3];  ///< along x that of the block, where the code runs several groups as one
  std::byte* local_memory;  ///< static locals first, then `__local` arguments; 128-byte aligned
  std::byte* scratch;       ///< CodeInfo::scratch_bytes of warp state; 128-byte aligned
};

/// What a compiled kernel returns.
enum class GroupStatus : std::int32_t {
  kDone = 0,
  /// Not all work-items of the group reached the same barrier (undefined by OpenCL C 3.0
  /// §6.15.8); the group was abandoned.
  kDivergentBarrier = 1,
};

/// A compiled kernel: runs all warps of one work-group to completion on the calling thread.
using GroupFunction = GroupStatus (*)(const LaunchInfo*, const GroupInfo*);

}  // namespace weft::abi
