// Command queues: the order in which commands enter the graph (OpenCL 3.0 API §5.1).
//
// Small commands are held back until a flush, a wait, or until enough have gathered: an application that
// launches and waits then runs them on its own thread, and no worker is woken. What may take long starts at
// once.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "device/spin_lock.h"
#include "runtime/context.h"
#include "runtime/event.h"
#include "runtime/info.h"
#include "runtime/object.h"
#include "runtime/performance_counters.h"

struct _cl_command_queue : public weft::runtime::Object<_cl_command_queue> {
 public:
  /// `properties_array` with its terminating 0, or empty if none was given.
  _cl_command_queue(cl_context context, weft::runtime::Device& device, cl_command_queue_properties properties,
                    std::vector<cl_queue_properties> properties_array, weft::runtime::QueueCounters counters = {},
                    int priority = 0, std::uint32_t device_size = 0);

  ~_cl_command_queue();
  /// Kernels' events outlive no queue of theirs that the application has.
  void on_last_release();

  _cl_context& context() const { return *context_; }
  weft::runtime::Device& device() const { return *device_; }
  /// That runs its commands.
  weft::device::Engine& engine() const { return device_->engine(); }
  /// A queue for kernels, which get it by its handle; none of the host's commands may go there.
  bool is_on_device() const { return (properties_ & CL_QUEUE_ON_DEVICE) != 0; }
  bool is_in_order() const { return !(properties_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  const weft::runtime::QueueCounters& counters() const { return counters_; }
  /// cl_khr_priority_hints: 1 high, 0 medium, -1 low.
  int priority() const { return priority_; }
  bool is_profiled() const { return (properties_ & CL_QUEUE_PROFILING_ENABLE) != 0; }
  /// Whether commands go to the record of the run, under this queue's number there.
  bool is_recorded() const { return record_number_ != 0; }
  std::uint64_t record_number() const { return record_number_; }

  /// What a command follows beside its wait list and, in order, the command before it.
  enum class Order {
    kNone,
    kAllBefore,  ///< every command enqueued so far (marker or barrier with an empty wait list)
  };

  /// Puts `command`, made for this queue, into the graph after the events of `waits`. `blocks_later`: all
  /// later commands follow it (barriers). Throws std::bad_alloc; nothing has changed then.
  void enqueue(weft::runtime::Ref<_cl_event> command, std::span<const cl_event> waits,
               Order order = Order::kNone, bool blocks_later = false);

  struct Entry {
    _cl_event* command;
    std::span<const cl_event> waits;
  };
  /// The same for commands that no other thread's come between. Some may wait for those before them.
  void enqueue(std::span<const Entry> commands);

  // A queue on the device.
  /// Puts a command with room for its edges into the graph, after the events of `waits`; submit_held() lets it go. Throws nothing.
  void hold(weft::runtime::Ref<_cl_event> command, std::span<const cl_event> waits);
  void submit_held(_cl_event& command, _cl_event::Wake wake);
  /// Room for what a command takes of CL_QUEUE_SIZE; false if there is too little.
  bool take_room(std::uint64_t bytes) noexcept;
  void give_room(std::uint64_t bytes) noexcept { taken_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  /// Submits what is held back. The last command so far, by its number.
  std::uint64_t flush(_cl_event::Wake wake = _cl_event::Wake::kWorkers);

  /// Flushes and blocks until every command enqueued before is over.
  void finish();

  /// Whether a command failed, since this was last asked, of itself (not for an event that it waited for) and the application has
  /// not been told by its event. What a blocking call says then: later commands have run on what the failed one left.
  bool take_failures();

  /// clGetCommandQueueInfo. Throws Error.
  void info(cl_command_queue_info name, const weft::runtime::InfoWriter& out) const;

 private:
  friend struct _cl_event;

  void flush_others(std::span<const cl_event> waits);
  void append(_cl_event& command);
  void link(_cl_event& command, std::span<const cl_event> waits, float cost_ns, bool follows_all, bool blocks_later);
  void run_or_flush(bool is_tiny, bool is_full);
  bool is_full() const;
  bool is_tiny() const;
  /// A command is over.
  void forget(_cl_event& command);
  void note_failure(_cl_event& command);
  void note_told(_cl_event& command);

  weft::runtime::Attached<_cl_context> context_;
  weft::runtime::Ref<weft::runtime::Device> device_;
  cl_command_queue_properties properties_;
  std::vector<cl_queue_properties> properties_array_;
  const weft::runtime::QueueCounters counters_;
  const std::uint64_t record_number_;  ///< 0: none
  const int priority_;
  const std::uint32_t device_size_;  ///< CL_QUEUE_SIZE of a queue on the device
  std::atomic<std::uint64_t> taken_bytes_{0};

  weft::device::SpinLock lock_;
  // Guarded by the lock: the commands that are not over, in order, and those not yet flushed.
  _cl_event* oldest_ = nullptr;
  _cl_event* newest_ = nullptr;
  std::size_t num_pending_ = 0;
  _cl_event* barrier_ = nullptr;  ///< the last one, if not over (out-of-order queues)
  _cl_event* first_unflushed_ = nullptr;
  _cl_event* last_unflushed_ = nullptr;
  float unflushed_ns_ = 0;  ///< their expected time
  unsigned num_unflushed_ = 0;
  std::uint64_t next_sequence_ = 1;
  std::uint64_t failure_epoch_ = 1;  ///< one more with each take_failures() that finds any
  std::atomic<unsigned> num_failures_{0};  ///< not told of yet; written under the lock
};

namespace weft::runtime {
using Queue = ::_cl_command_queue;
}
