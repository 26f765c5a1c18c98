// Machine code of one kernel in memory: the product of the object loader.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/counters/counted_kernel.h"
#include "device/kernel_abi.h"

namespace weft::device {

/// What the compiler says of a kernel's code beside its bytes (compiler::GenerateResult).
struct CodeTraits {
  std::uint32_t scratch_fixed_bytes = 0;
  std::uint32_t scratch_warp_bytes = 0;
  std::uint32_t private_bytes = 0;  ///< of one work-item
  std::uint32_t stack_bytes = 0;    ///< of the thread that runs it
  std::uint32_t groups = 1;         ///< work-groups side by side along x that the code runs as one: a block
  std::uint32_t local_x = 0;        ///< work-items of a group along x; 0: any
  std::uint32_t run = 1;            ///< most blocks side by side along x that one call runs, each for itself
  bool streams = false;             ///< its stores may go past the caches: others see them behind a fence
  bool by_columns = false;          ///< groups run y fastest, else x
  std::shared_ptr<const counters::CountedKernel> counters = nullptr;  ///< of code that counts
  std::vector<abi::UpdatedBuffer> updated = {};  ///< GroupInfo::copies
  bool has_tables = false;  ///< GroupInfo::tables
};

/// A loaded kernel. Immutable but for its cost estimate; shared by everything that may still run it.
class Code {
 public:
  /// Loads an ELF64 x86-64 relocatable object, as LLVM emits it for position-independent code, and finds the
  /// abi::GroupFunction `symbol` in it. Nothing of `object` is used after the return. A damaged or foreign
  /// object gives null and says why in `error`.
  static std::shared_ptr<const Code> load(std::span<const std::uint8_t> object, std::string_view symbol,
                                          const CodeTraits& traits, std::string* error);

  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code();

  abi::GroupFunction entry() const { return entry_; }
  const CodeTraits& traits() const { return traits_; }

  /// Bytes of scratch that one call needs for groups of `work_items` each.
  std::size_t scratch_bytes(std::size_t work_items) const {
    const std::size_t warps = (work_items * traits_.groups + abi::kWarpSize - 1) / abi::kWarpSize;
    return traits_.scratch_fixed_bytes + traits_.scratch_warp_bytes * warps;
  }

  /// Running estimate of one call's time, which decides how many workers a launch wakes; 0: never ran.
  float group_ns() const { return group_ns_.load(std::memory_order_relaxed); }
  void note_group_ns(float ns) const { group_ns_.store(ns, std::memory_order_relaxed); }
  /// Job::beside of its launches, where groups wait for each other.
  std::atomic<std::uint32_t>& threads_beside() const { return threads_beside_; }

 private:
  Code() = default;

  void* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  abi::GroupFunction entry_ = nullptr;
  CodeTraits traits_;
  mutable std::atomic<float> group_ns_{0};
  mutable std::atomic<std::uint32_t> threads_beside_{0};
};

}  // namespace weft::device
