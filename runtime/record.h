// The record of a run (WEFT_RECORD), which weftprof reads: what docs/weftprof.md says, a JSON object a line.
//
// Each line is in the file as soon as it is known, so a program that crashes leaves all that was over before. The child of a fork
// writes a file of its own if the name has a "%p", else none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/compiler_api.h"
#include "device/counters/launch_report.h"
#include "runtime/command.h"
#include "runtime/fork.h"
#include "runtime/hash.h"
#include "runtime/opencl.h"
#include "runtime/profile_file.h"
#include "runtime/record_counts.h"
#include "runtime/record_kernels.h"

struct _cl_program;

namespace weft::runtime {

/// A command that is over.
struct RecordedCommand {
  std::uint64_t queue = 0;  ///< record_queue
  cl_command_type type = 0;
  cl_int status = 0;
  std::array<std::uint64_t, 4> times_ns{};  ///< queued, submitted, started, ended: monotonic clock; 0: never
  std::uint64_t bytes = 0;                  ///< of a mapping
  bool is_pinned = false;                   ///< of a mapping
  bool is_blocking = false;
  const Work* work = nullptr;
  const device::counters::LaunchReport* counts = nullptr;  ///< of a launch that was counted
};

/// What the record says of a command beside its times.
struct CommandFields {
  std::uint64_t queue = 0, type = 0, bytes = 0, memory_bytes = 0, kernel = 0;
  std::array<std::uint64_t, 3> global_size{}, local_size{};
  std::uint32_t work_dim = 0;
  cl_int status = 0;
  std::uint32_t is_pinned = 0, is_blocking = 0;  ///< no bytes in between, which would be hashed
  bool operator==(const CommandFields&) const = default;
};

/// Thread-safe.
class Record {
 public:
  /// Null where the environment asks for none, or for a file that cannot be written, which stderr says once. Made when first asked
  /// for, in each process; never destroyed.
  static Record* instance();

  /// Whether the next launch of a kernel, which this counts, is to be counted.
  bool counts_launch(const std::string& kernel);

  /// Never fails: what cannot be written is left out.
  void add(const RecordedCommand& command) noexcept;
  std::uint64_t add_queue(bool is_in_order, bool is_profiled);
  std::uint64_t add_kernel(const _cl_program& program, const compiler::KernelInfo& kernel);

  void pin(const std::byte* start, std::size_t size);
  void unpin(const std::byte* start) noexcept;

  static void lose_in_child() noexcept;  ///< of a fork

 private:
  friend class OnePerProcess<Record>;
  Record();
  bool is_pinned(const std::byte* address) const;
  std::uint64_t command_number(const RecordedCommand& command);
  static void finish_at_exit() noexcept;

  const std::uint64_t start_ns_;  ///< of the monotonic clock: what the record's times count from
  std::mutex mutex_;
  // Guarded by the mutex.
  ProfileFile file_;
  RecordedKernels kernels_to_count_;
  std::uint64_t queues_ = 0;
  std::map<Hash, std::uint64_t> programs_, kernels_;  ///< numbers of what stands in the file, by contents
  std::unordered_map<CommandFields, std::uint64_t, HashOfBytes> commands_;
  RecordedCounts counts_;
  std::string text_;  ///< to be added to the file
  std::map<const std::byte*, std::multiset<std::size_t>> pinned_;
};

/// Numbers in the record, from 1; 0 where there is none.
std::uint64_t record_queue(bool is_in_order, bool is_profiled);
std::uint64_t record_kernel(const _cl_program& program, const compiler::KernelInfo& kernel);

}  // namespace weft::runtime
