// Queues on the device: what kernels enqueue there, and the events that they have of it (OpenCL 3.0 API §5.1, OpenCL C 3.0 §6.15.17).
//
// What a work-item enqueues is a command of the graph as any other, with its edges and its arguments, from the moment of the enqueue. It is
// submitted when the launch that it comes from has ended, whatever its flags: then its code is looked for, and made in the background.
// So an enqueue is an event, a copy of the block's literal, and a few edges, and no worker ever waits. The launch's own command is complete
// when all of its children are, and so theirs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/kernel_abi.h"
#include "device/spin_lock.h"
#include "runtime/ndrange.h"
#include "runtime/object.h"
#include "runtime/opencl.h"

struct _cl_command_queue;
struct _cl_context;
struct _cl_event;
struct _cl_kernel;

namespace weft::runtime {

/// What the device says of them, in bytes and numbers. Nothing is set aside for a queue.
inline constexpr std::uint32_t kPreferredDeviceQueueSize = std::uint32_t{16} << 20;
inline constexpr std::uint32_t kMaxDeviceQueueSize = std::uint32_t{64} << 20;
inline constexpr std::uint32_t kMaxDeviceQueues = 64;
inline constexpr std::uint32_t kMaxDeviceEvents = 65536;

/// The events of a context that kernels have handles of. Those that no kernel has released go with the last queue on the device and the last
/// launch that could use them.
class DeviceEvents {
 public:
  /// For each queue on the device that the application has, and each launch that uses such.
  void enter() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }
  void leave() noexcept;
  /// A kernel gets a handle of `event`.
  void add(_cl_event& event) noexcept;

 private:
  std::atomic<std::size_t> users_{0};
  device::SpinLock lock_;
  std::vector<WeakHandle<_cl_event>> events_;  ///< guarded by the lock; some are released
};

/// What all launches have in common that come from one of the host.
struct LaunchTree {
  LaunchTree(_cl_kernel& kernel, _cl_command_queue& host_queue);
  ~LaunchTree();

  Ref<_cl_kernel> kernel;               ///< the host's
  Ref<_cl_command_queue> host_queue;
  Ref<_cl_command_queue> default_queue; ///< of the device, when the host enqueued; may be null
};

class Children;

/// A command that a work-item enqueued, beside its work.
struct ChildCommand {
  Children* siblings = nullptr;  ///< alive until the command is over
  std::shared_ptr<const LaunchTree> tree;  ///< until then, too
  std::uint64_t bytes = 0;       ///< of its queue
  NDRange range;                 ///< of a kernel's

  /// Writes the times to `to`, two words (CLK_PROFILING_COMMAND_EXEC_TIME), once they are known.
  void capture(std::uint64_t* to);
  /// Before anyone hears of its end.
  void note_end(std::uint64_t execution_ns, std::uint64_t completion_ns);

 private:
  device::SpinLock lock_;
  // Guarded by the lock.
  bool has_times_ = false;
  std::uint64_t times_ns_[2] = {0, 0};
  std::vector<std::uint64_t*> captures_;
};

/// The commands that the work-items of one launch enqueue, and the functions that they call for it.
class Children : public abi::DeviceQueues {
 public:
  Children(_cl_event& parent, std::shared_ptr<const LaunchTree> tree);

  /// The launch has ended, with `status`: submits its children. Whether none is left to wait for; `status` is then the worst of all.
  bool end(cl_int& status);
  /// A child is over. Whether it was the last to wait for; `parent` is then to be completed with `status`, the worst of all.
  bool end_one(cl_int& status);

  _cl_event& parent() const { return parent_; }

 private:
  static std::int32_t enqueue_service(abi::DeviceQueues* self, const abi::EnqueueRecord* record) noexcept;
  static std::uint64_t call_service(abi::DeviceQueues* self, std::uint32_t function, std::uint64_t first, std::uint64_t second) noexcept;

  std::int32_t enqueue(const abi::EnqueueRecord& record);
  std::uint64_t call(abi::QueueFunction function, std::uint64_t first, std::uint64_t second);
  void set_work(_cl_event& command, ChildCommand& child, const abi::EnqueueRecord& record);
  _cl_command_queue& queue_of(std::uint64_t handle) const;
  _cl_event* event_of(std::uint64_t handle) const;
  std::uint64_t give(Ref<_cl_event> event);

  _cl_event& parent_;
  _cl_context& context_;
  const std::shared_ptr<const LaunchTree> tree_;
  device::SpinLock lock_;
  std::vector<_cl_event*> enqueued_;  ///< guarded by the lock; in order, held by the graph
  std::atomic<std::size_t> unfinished_{1};  ///< children, and the launch itself
  std::atomic<cl_int> worst_{CL_COMPLETE};
};

}  // namespace weft::runtime
