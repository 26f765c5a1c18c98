// Command buffers (cl_khr_command_buffer, cl_khr_command_buffer_mutable_dispatch): commands that are checked once and
// enqueued many times.
//
// What is recorded is a list of commands and, for each, which of those before it it follows. An enqueue makes events of the
// command graph of it: one that the whole waits at, one for each command, and one that is over when all are. Instances
// share nothing that changes, so any number of them may run at once, and an update while some do leaves those alone.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "runtime/command_buffer_api.h"
#include "runtime/event.h"
#include "runtime/info.h"
#include "runtime/kernel.h"
#include "runtime/ndrange.h"
#include "runtime/object.h"
#include "runtime/queue.h"

namespace weft::runtime {

/// A launch as it was recorded, or updated since.
struct BufferedLaunch {
  BufferedLaunch() = default;
  BufferedLaunch(Kernel& given, const NDRange& range, bool has_local);

  Ref<Kernel> handle;         ///< what the application gave
  Ref<Kernel> kernel;         ///< a copy with the arguments of this launch; others' updates replace it
  SharedArguments arguments;  ///< keeps what they name alive, and the copy from packing them again; null: not all are set
  NDRange range;
  bool has_local = false;  ///< the application gave a local size
  cl_bitfield updatable = command_buffer_api::kAllFields;
  cl_bitfield asserts = 0;
  std::uint64_t most_groups = 0;         ///< where an assert says that there will be no more
  std::vector<cl_properties> properties;  ///< with their 0; empty: none were given
};

struct BufferedCommand {
  cl_command_type type = 0;
  Work work;  ///< of what is not a launch
  std::optional<BufferedLaunch> launch;
  std::vector<std::uint32_t> after;  ///< commands before it, by place in the list
  bool is_followed = false;          ///< some command is after it
};

}  // namespace weft::runtime

/// What an application updates a command by. Goes with its command buffer.
struct _cl_mutable_command_khr : public weft::runtime::Object<_cl_mutable_command_khr> {
 public:
  _cl_mutable_command_khr(_cl_command_buffer_khr& owner, std::size_t place) : owner(owner), place(place) {}
  _cl_command_buffer_khr& owner;
  const std::size_t place;  ///< in the owner's list
};

struct _cl_command_buffer_khr : public weft::runtime::Object<_cl_command_buffer_khr> {
 public:
  using SyncPoint = weft::command_buffer_api::SyncPoint;
  using State = weft::command_buffer_api::State;

  /// For one queue. `properties` with its terminating 0, or empty if none were given.
  _cl_command_buffer_khr(cl_command_queue queue, cl_bitfield flags, cl_bitfield asserts,
                         std::vector<cl_properties> properties);
  ~_cl_command_buffer_khr();

  _cl_command_queue& queue() const { return *queue_; }
  _cl_context& context() const;
  cl_bitfield flags() const { return flags_; }
  cl_bitfield asserts() const { return asserts_; }

  /// CL_INVALID_OPERATION once it is finalized.
  void require_recording() const;

  /// Adds a command after those of the sync points, and in order after the command before. CL_INVALID_OPERATION,
  /// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR; nothing has changed then. Null where the application wants no sync point, or no
  /// handle (which only launches have).
  void record(std::unique_ptr<weft::runtime::BufferedCommand> command, std::span<const SyncPoint> waits,
              SyncPoint* sync_point, weft::command_buffer_api::MutableHandle* handle);

  void finalize();

  /// Enqueues an instance to `queue` after the events of `waits`. The event that ends it. Throws Error.
  weft::runtime::Ref<_cl_event> enqueue(_cl_command_queue& queue, std::span<const cl_event> waits);

  /// clUpdateMutableCommandsKHR: all of `configs`, or none if one is wrong. Throws Error.
  void update(std::span<const weft::command_buffer_api::DispatchConfig* const> configs);

  /// clGetCommandBufferInfoKHR, clGetMutableCommandInfoKHR. Throw Error.
  void info(cl_uint name, const weft::runtime::InfoWriter& out) const;
  void command_info(const _cl_mutable_command_khr& command, cl_uint name, const weft::runtime::InfoWriter& out) const;

 private:
  void check(std::span<const SyncPoint> waits) const;
  void follow(weft::runtime::BufferedCommand& command);
  void set_state();
  weft::runtime::BufferedLaunch updated(const weft::command_buffer_api::DispatchConfig& config,
                                        const weft::runtime::BufferedLaunch& old) const;

  weft::runtime::Attached<_cl_command_queue> queue_;
  const cl_bitfield flags_;
  const cl_bitfield asserts_;
  const std::vector<cl_properties> properties_;

  mutable std::mutex mutex_;
  // Guarded by the mutex.
  State state_ = State::kRecording;
  std::vector<std::unique_ptr<weft::runtime::BufferedCommand>> commands_;
  std::optional<std::size_t> barrier_;  ///< the last one recorded
  std::vector<weft::runtime::Ref<_cl_mutable_command_khr>> handles_;
};

namespace weft::runtime {

using CommandBuffer = ::_cl_command_buffer_khr;
using MutableCommand = ::_cl_mutable_command_khr;

}  // namespace weft::runtime
