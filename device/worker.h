// A multiprocessor's own memory: local memory and scratch of the group that it runs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "device/kernel_abi.h"
#include "device/taken_parts.h"

namespace weft::device {

/// CL_DEVICE_LOCAL_MEM_SIZE: what one group may have of local memory.
inline constexpr std::size_t kLocalMemoryBytes = abi::kLocalMemoryBytes;

/// Bytes in front of a group's local memory that may be read, and written back, as abi::kLocalMemoryPadding behind it: more than a register
/// of which an element lies within can reach.
inline constexpr std::size_t kLocalMemoryFront = 128;

/// Most scratch that a group may ask for; more is an error of resources.
inline constexpr std::size_t kMaxScratchBytes = std::size_t{1} << 30;

class Job;

/// A place to run a group, of one thread at a time.
class alignas(64) Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Makes local memory and at least `scratch_bytes` of scratch present. Maps memory only when the largest
  /// demand so far grows. False if there is none.
  bool reserve(std::size_t scratch_bytes) noexcept {
    return scratch_bytes <= scratch_bytes_ && local_memory_ ? true : grow(scratch_bytes);
  }

  std::byte* local_memory() const { return local_memory_; }  ///< kLocalMemoryBytes, between kLocalMemoryFront and abi::kLocalMemoryPadding
  std::byte* scratch() const { return scratch_; }
  /// abi::GroupInfo::tables and the number behind them, once local memory is there.
  std::byte* tables() const { return local_memory_ + kLocalMemoryBytes + abi::kLocalMemoryPadding; }

  // The engine's.
  enum class State : std::uint8_t {
    kFree,     ///< no thread of the engine's has it
    kLooking,  ///< its thread is about to look at the list of jobs
    kIdle,     ///< its thread waits here
    kBusy,     ///< its thread has `job`
    kLost,     ///< its thread has to go, for an API thread's sake
  };
  /// Written by the worker's thread; what takes it out of kIdle, under the engine's lock by anyone.
  std::atomic<State> state{State::kFree};
  Job* job = nullptr;
  Worker* next = nullptr;  ///< in a list of those that no thread has
  Worker* next_made = nullptr;  ///< in the list of those of API threads
  TakenParts taken;             ///< of a job whose parts wait for each other
  bool is_beside = false;       ///< its thread came for one job and stays until none of its parts is left
  std::uint32_t random = 1;     ///< the last number of a sequence, by which few short jobs are measured
  /// The thread that ends a job here; mostly none.
  std::atomic<std::thread::id> ender{std::thread::id()};

 private:
  bool grow(std::size_t scratch_bytes) noexcept;

  std::byte* local_memory_ = nullptr;
  std::byte* scratch_ = nullptr;
  std::size_t scratch_bytes_ = 0;
};

}  // namespace weft::device
