// What a command does on the device: a kernel, a copy or a fill, cut into parts for the engine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "device/launch.h"
#include "runtime/counting.h"
#include "runtime/device_queue.h"
#include "runtime/kernel.h"
#include "runtime/memory.h"

namespace weft::runtime {

/// Nothing to do but to wait its turn: markers, barriers, mapping, migration.
struct NoWork {};

/// A kernel over an NDRange. Where its groups are not all of one size, `launch` has those of most work-items and `others` the rest, which
/// share code for groups of any size.
struct KernelWork {
  KernelWork() {}  // see device::Launch

  Kernel* kernel = nullptr;
  SharedArguments arguments;  ///< keep the kernel, and it the code
  device::Launch launch;
  std::vector<device::Launch> others;
  unsigned turned = 0;  ///< NDRange::turned of all these
  std::shared_ptr<const Generation> pending;         ///< of the launch's code, which is null until then
  std::shared_ptr<const Generation> others_pending;  ///< the same of the others
  std::unique_ptr<Counting> counting;                ///< null: it is not counted
  std::unique_ptr<Children> children;                ///< of kernels that use queues of the device
  cl_int refused = CL_SUCCESS;                       ///< why there is no code, of a launch whose enqueue could not say so

  bool has_code() const { return launch.code && (others.empty() || others.front().code); }
  /// Once there is code. Throws std::bad_alloc.
  void prepare();
  /// For the graph, before the first part. CL_SUCCESS, or why there is no code.
  cl_int make_ready();
  std::uint64_t parts() const;
  float part_ns() const { return launch.code ? launch.code->group_ns() : 0; }
  std::uint32_t stack_bytes() const;
  /// Two of those that a call of the code runs: more of what takes long would leave other workers without.
  std::uint32_t together() const { return launch.code ? std::min(launch.code->traits().run, 2u) : 1; }
  /// Some kernels wait for groups of lower numbers; what is counted or traced is so in order.
  bool may_run_in_any_order() const;
  bool run(device::Worker& worker, std::uint64_t first, std::uint64_t count) {
    return others.empty() ? launch.run(worker, first, count) : run_each(worker, first, count);
  }
  /// After the last part. The worst of its launches' ends.
  device::LaunchStatus finish(float part_ns) noexcept;

 private:
  void prepare(device::Launch& one);
  bool run_each(device::Worker& worker, std::uint64_t first, std::uint64_t count);
};

/// A box of bytes from one layout in memory to another; [0] bytes of a row, [1] rows, [2] slices.
struct CopyWork {
  const std::byte* from;
  std::byte* to;
  std::array<std::size_t, 3> region;
  std::size_t from_row_pitch = 0, from_slice_pitch = 0;  ///< bytes
  std::size_t to_row_pitch = 0, to_slice_pitch = 0;
  Ref<Memory> first_memory, second_memory;  ///< kept alive

  /// To be called once the rest is filled in.
  void plan();
  std::uint64_t parts() const { return parts_; }
  float part_ns() const { return part_ns_; }
  bool run(device::Worker& worker, std::uint64_t first, std::uint64_t count);

 private:
  std::uint64_t parts_ = 1;
  std::size_t unit_ = 0;  ///< of a part: bytes of a single row, else rows
  float part_ns_ = 0;
  bool streams_ = false;  ///< large, and nothing overlaps
};

/// A pattern of 1 to 128 bytes, repeated.
struct FillWork {
  static constexpr std::size_t kMaxPattern = 128;

  std::byte* to;
  std::size_t size;  ///< bytes, a multiple of the pattern's
  std::array<std::byte, kMaxPattern> pattern;
  std::size_t pattern_size;
  Ref<Memory> memory;  ///< kept alive

  std::uint64_t parts() const;
  float part_ns() const;
  bool run(device::Worker& worker, std::uint64_t first, std::uint64_t count);
};

/// A texel, repeated over a box of bytes.
struct FillBoxWork {
  std::byte* to;
  std::array<std::size_t, 3> region;  ///< bytes of a row, rows, slices
  std::size_t row_pitch, slice_pitch;
  std::array<std::byte, kMaxTexelBytes> pattern;
  std::size_t pattern_size;  ///< a power of two
  Ref<Memory> memory;        ///< kept alive

  /// To be called once the rest is filled in.
  void plan();
  std::uint64_t parts() const;
  float part_ns() const;
  bool run(device::Worker& worker, std::uint64_t first, std::uint64_t count);

 private:
  bool is_one_row() const { return region[1] * region[2] == 1; }
  std::size_t unit_ = 0;  ///< of a part: bytes of a single row, else rows
};

/// A function of the host's, called once: the application's, or ours at a command's place.
struct HostWork {
  std::function<void()> call;  ///< throws nothing
  float expected_ns = 0;       ///< 0: not known

  std::uint64_t parts() const { return 1; }
  float part_ns() const { return expected_ns; }
  /// As much as functions of a program expect: not on a caller that is deep in its own.
  std::uint32_t stack_bytes() const { return 256u << 10; }
  bool run(device::Worker&, std::uint64_t, std::uint64_t) {
    call();
    return true;
  }
};

using Work = std::variant<NoWork, KernelWork, CopyWork, FillWork, FillBoxWork, HostWork>;

}  // namespace weft::runtime
