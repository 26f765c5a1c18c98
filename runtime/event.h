// Events, which are also the nodes of the command graph (OpenCL 3.0 API §5.11, §5.14).
//
// A command waits for a count of unmet dependencies to reach 0: one a command that it follows, and one for
// its own submission (flush). Whoever brings the count to 0 hands the command to the engine; whoever finishes
// the command's last part completes it and counts down those that follow. So nobody inside ever blocks for an
// event.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "device/engine.h"
#include "device/spin_lock.h"
#include "runtime/command.h"
#include "runtime/context.h"
#include "runtime/device_queue.h"
#include "runtime/info.h"
#include "runtime/object.h"

struct _cl_event : public weft::runtime::Object<_cl_event>, private weft::device::Job {
 public:
  using Callback = void(CL_CALLBACK*)(cl_event event, cl_int status, void* user_data);
  using Wake = weft::device::Engine::Wake;

  /// A command of a queue, CL_QUEUED.
  _cl_event(cl_command_queue queue, cl_command_type type);
  /// A user event, CL_SUBMITTED.
  explicit _cl_event(cl_context context);
  ~_cl_event();

  /// For the enqueuer, before Queue::enqueue.
  weft::runtime::Work& work() { return work_; }

  cl_command_type type() const { return type_; }
  cl_command_queue queue() const { return queue_.get(); }  ///< null for a user event
  _cl_context& context() const;
  bool is_user_event() const { return !queue_; }

  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE or a negative error.
  cl_int status() const { return status_.load(std::memory_order_acquire); }
  bool is_over() const { return status() <= CL_COMPLETE; }

  /// Blocks the calling API thread until the event is over; runs ready commands meanwhile. Its queue must
  /// have been flushed.
  void wait();

  /// The application gets the event, which tells its queue.
  void on_publish();

  /// clReleaseEvent. The last release of a user event that commands still wait for takes effect when its status is
  /// set: programs release it before another thread sets it, and drivers let them (OpenCL 3.0 API §5.11 has the
  /// commands wait for ever). Throws Error{CL_INVALID_EVENT} for a second such release.
  void release();

  /// For the enqueuer, before Queue::enqueue: what the record of the run says beside the work.
  void note_blocking() { noted_.blocking = true; }
  /// For the enqueuer: the application will not have the event.
  void note_hidden() { is_hidden_ = true; }
  void note_mapping(std::uint64_t bytes, bool pinned) { noted_.bytes = bytes, noted_.pinned = pinned; }

  /// For an enqueue on the device: room for `count` dependencies and those on code. Throws std::bad_alloc.
  void reserve(std::size_t count);
  void make_child(std::unique_ptr<weft::runtime::ChildCommand> child) { child_ = std::move(child); }
  /// Null: the host's.
  weft::runtime::ChildCommand* child() const { return child_.get(); }

  /// For the enqueuer: the command begins, for profiling, where `event` does, one before it.
  void note_begin(const weft::runtime::Ref<_cl_event>& event) { begin_ = event; }

  /// The application has been told the status, which is over.
  void note_told() {
    if (status() < 0 && queue_) note_failure_told();
  }

  /// clSetUserEventStatus: CL_COMPLETE or an error. False if it was set before.
  bool set_user_status(cl_int status);

  /// clSetEventCallback for CL_SUBMITTED, CL_RUNNING or CL_COMPLETE; due at once if that has passed.
  void on_status(cl_int status, Callback callback, void* user_data);

  /// clGetEventInfo, clGetEventProfilingInfo. Throw Error.
  void info(cl_event_info name, const weft::runtime::InfoWriter& out);
  void profiling_info(cl_profiling_info name, const weft::runtime::InfoWriter& out) const;

 private:
  friend struct _cl_command_queue;

  /// An edge of the graph, kept in the command that waits.
  struct Edge {
    Edge* next;
    _cl_event* follower;
    bool passes_errors;  ///< of a wait list: an error of the one fails the other
  };
  struct Registration {
    cl_int status;
    Callback callback;
    void* user_data;
  };

  // For the queue.
  /// Makes room for `count` dependencies. Throws std::bad_alloc.
  void reserve_edges(std::size_t count);
  /// Adds an edge from `event`; at most as many as reserved.
  void follow(_cl_event& event, bool passes_errors);
  /// Takes the hold of submission off: the command runs once its dependencies are met.
  void submit(Wake wake);

  // `helped`: the engine whose jobs the calling thread runs next; null: workers are to run what gets ready.
  using Engine = weft::device::Engine;
  void resolve(const Engine* helped);
  void start(const Engine* helped, _cl_event*& completed);
  void note_failure_told();
  void complete(cl_int status, const Engine* helped);
  void complete_one(cl_int status, const Engine* helped, _cl_event*& completed);
  void release_followers(cl_int status, const Engine* helped, _cl_event*& completed);
  void set_status(cl_int status);
  void notify(cl_int status);
  bool is_profiled() const;
  bool is_timed() const;
  void record(cl_int status) noexcept;

  static void begin_job(Job& job, std::uint64_t now_ns);
  static void run_job(Job& job, weft::device::Worker& worker, std::uint64_t first, std::uint64_t count);
  static void end_job(Job& job, float part_ns);

  static constexpr std::size_t kInlineEdges = 4;

  weft::runtime::Ref<_cl_event> begin_;      ///< mostly null
  std::unique_ptr<weft::runtime::ChildCommand> child_;  ///< of a command that a kernel enqueued
  weft::runtime::Attached<_cl_context> context_;  ///< of a user event; a command's is its queue's
  weft::runtime::Ref<_cl_command_queue> queue_;
  std::optional<weft::runtime::Attached<_cl_command_queue>> told_queue_;  ///< once the application has the event
  cl_command_type type_;
  std::atomic<cl_int> status_;

  std::atomic<std::uint32_t> unmet_{1};
  std::uint64_t failure_epoch_ = 0;  ///< the queue's, under its lock: of a failure that nobody was told of
  std::atomic<bool> dependency_failed_{false};
  enum class UserState : std::uint8_t { kOpen, kSet, kAbandoned };
  std::atomic<UserState> user_state_{UserState::kOpen};
  bool is_hidden_ = false;
  std::atomic<bool> has_registrations_{false};
  std::atomic<Edge*> followers_{nullptr};  ///< a stack; closed once the event is over
  Edge inline_edges_[kInlineEdges];
  std::unique_ptr<Edge[]> more_edges_;
  std::size_t num_edges_ = 0;

  // CL_PROFILING_COMMAND_*: nanoseconds.
  std::uint64_t queued_ns_ = 0, submitted_ns_ = 0, started_ns_ = 0, ended_ns_ = 0;
  std::uint64_t completed_ns_ = 0;  ///< of a launch with children

  struct Noted {
    std::uint64_t bytes = 0;  ///< of a mapping
    bool pinned = false;
    bool blocking = false;
  } noted_;
  weft::runtime::Work work_;
  std::shared_ptr<const weft::runtime::LaunchReport> counters_;  ///< of a launch that was counted, once it is over

  weft::device::SpinLock registrations_lock_;
  std::vector<Registration> registrations_;

  // The queue's lists, under its lock.
  _cl_event* previous_in_queue_ = nullptr;
  _cl_event* next_in_queue_ = nullptr;
  _cl_event* next_unflushed_ = nullptr;
  std::uint64_t sequence_ = 0;
  /// Links commands completed in one go, so that a long chain of them needs no deep stack.
  _cl_event* next_completed_ = nullptr;
  cl_int completed_status_ = CL_COMPLETE;
};

namespace weft::runtime {
using Event = ::_cl_event;
}
