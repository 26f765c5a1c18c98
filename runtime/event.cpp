#include "runtime/event.h"

#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "runtime/callbacks.h"
#include "runtime/fork.h"
#include "runtime/queue.h"
#include "runtime/record.h"

using namespace weft::runtime;
using weft::device::Job;
using weft::device::JobKind;
using weft::device::Worker;

namespace {

/// The end of the list of followers of an event that is over.
template <class Edge>
Edge* closed() {
  return reinterpret_cast<Edge*>(std::uintptr_t{1});
}

/// A thread that waits looks this long for work or the end before it sleeps.
constexpr std::uint64_t kWaitSpinNs = 30'000;
/// And again after this, in the child of a fork.
constexpr std::chrono::microseconds kForkedLook{50};

}  // namespace

_cl_event::_cl_event(cl_command_queue queue, cl_command_type type)
    : queue_(queue), type_(type), status_(CL_QUEUED) {
  if (is_timed()) queued_ns_ = weft::device::now_ns();
}

_cl_event::_cl_event(cl_context context) : context_(context), type_(CL_COMMAND_USER), status_(CL_SUBMITTED) {}

_cl_event::~_cl_event() = default;

void _cl_event::on_publish() {
  // A queue on the device lives as the application says: the kernels that may use it know it for themselves.
  if (queue_ && !queue_->is_on_device()) told_queue_.emplace(queue_.get());
}

_cl_context& _cl_event::context() const { return queue_ ? queue_->context() : *context_; }

bool _cl_event::is_profiled() const { return queue_ && queue_->is_profiled(); }
bool _cl_event::is_timed() const { return queue_ && (queue_->is_profiled() || queue_->is_recorded()); }

// ---- The graph ----

void _cl_event::reserve_edges(std::size_t count) {
  if (count > kInlineEdges) more_edges_ = std::make_unique<Edge[]>(count);
}

void _cl_event::follow(_cl_event& event, bool passes_errors) {
  Edge* edge = (more_edges_ ? more_edges_.get() : inline_edges_) + num_edges_;
  edge->follower = this;
  edge->passes_errors = passes_errors;
  // Counted before the edge is seen; the hold of submission keeps the count from reaching 0 meanwhile. Nobody knows of a command
  // without edges.
  const bool is_first = num_edges_ == 0;
  is_first ? unmet_.store(2, std::memory_order_relaxed) : void(unmet_.fetch_add(1, std::memory_order_relaxed));
  Edge* head = event.followers_.load(std::memory_order_acquire);
  do {
    if (head == closed<Edge>()) {
      is_first ? unmet_.store(1, std::memory_order_relaxed) : void(unmet_.fetch_sub(1, std::memory_order_relaxed));
      if (passes_errors && event.status() < 0) dependency_failed_.store(true, std::memory_order_relaxed);
      return;
    }
    edge->next = head;
  } while (!event.followers_.compare_exchange_weak(head, edge, std::memory_order_acq_rel));
  ++num_edges_;
}

void _cl_event::submit(Wake wake) {
  if (is_timed()) submitted_ns_ = weft::device::now_ns();
  set_status(CL_SUBMITTED);
  resolve(wake == Wake::kCaller ? &queue_->engine() : nullptr);
}

/// One dependency fewer; the last starts the command.
void _cl_event::resolve(const Engine* helped) {
  if (unmet_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  _cl_event* completed = nullptr;
  start(helped, completed);
  while (completed) {
    _cl_event* event = completed;
    completed = event->next_completed_;
    event->complete_one(event->completed_status_, helped, completed);
  }
}

/// All dependencies are met: to the engine, or, with nothing to do there, to the list of the completed.
void _cl_event::start(const Engine* helped, _cl_event*& completed) {
  cl_int error = CL_SUCCESS;
  auto* const launch = std::get_if<KernelWork>(&work_);
  if (dependency_failed_.load(std::memory_order_relaxed)) {
    error = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  } else if (launch) {
    error = launch->make_ready();
  }
  if (error == CL_SUCCESS && !std::holds_alternative<NoWork>(work_)) {
    static constexpr JobKind kKind = {begin_job, run_job, end_job};
    kind = &kKind;
    owner = child_ ? child_->tree->host_queue.get() : queue_.get();
    wants_time = is_timed() || (launch && launch->counting);
    priority = queue_->priority();
    in_any_order = !launch || launch->may_run_in_any_order();
    beside = launch && launch->kernel->description().waits_for_groups ? &launch->launch.code->threads_beside() : nullptr;
    std::visit(
        [this](auto& work) {
          if constexpr (requires { work.parts(); }) {
            parts = work.parts();
            part_ns = work.part_ns();
          }
          if constexpr (requires { work.together(); }) together = work.together();
          if constexpr (requires { work.stack_bytes(); }) stack_bytes = work.stack_bytes();
        },
        work_);
    return queue_->engine().submit(*this, helped == &queue_->engine() ? Wake::kCaller : Wake::kWorkers);
  }
  if (error == CL_SUCCESS) begin_job(*this, is_timed() ? weft::device::now_ns() : 0);
  completed_status_ = error;
  next_completed_ = completed;
  completed = this;
}

void _cl_event::complete(cl_int status, const Engine* helped) {
  _cl_event* completed = nullptr;
  complete_one(status, helped, completed);
  while (completed) {
    _cl_event* event = completed;
    completed = event->next_completed_;
    event->complete_one(event->completed_status_, helped, completed);
  }
}

/// Ends the event and starts those that waited for it only. May destroy the event.
void _cl_event::complete_one(cl_int status, const Engine* helped, _cl_event*& completed) {
  if (is_timed()) (ended_ns_ ? completed_ns_ : ended_ns_) = weft::device::now_ns();
  Children* const siblings = child_ ? child_->siblings : nullptr;
  if (siblings) {
    const std::uint64_t completed_ns = std::max(ended_ns_, completed_ns_);
    started_ns_ ? child_->note_end(ended_ns_ - started_ns_, completed_ns - started_ns_) : child_->note_end(0, 0);
    queue_->give_room(child_->bytes);
  }
  if (status < 0 && queue_ && !dependency_failed_.load(std::memory_order_relaxed)) queue_->note_failure(*this);
  if (queue_ && queue_->is_recorded()) record(status);
  // What the command kept alive goes before anyone hears of its end.
  work_.emplace<NoWork>();
  set_status(status);
  status_.notify_all();
  release_followers(status, helped, completed);
  if (queue_) {
    queue_->forget(*this);
    drop_ref();  // the graph's
  }
  if (siblings && siblings->end_one(status)) {
    _cl_event& parent = siblings->parent();
    parent.completed_status_ = status;
    parent.next_completed_ = completed;
    completed = &parent;
  }
}

/// Writes it into the record of the run, while its work is still there.
void _cl_event::record(cl_int status) noexcept {
  Record* const record = Record::instance();
  if (!record) return;  // the child of a fork
  RecordedCommand command;
  command.queue = queue_->record_number();
  command.type = type_;
  command.status = status;
  command.times_ns = {queued_ns_, submitted_ns_, started_ns_, ended_ns_};
  command.bytes = noted_.bytes;
  command.is_pinned = noted_.pinned;
  command.is_blocking = noted_.blocking;
  command.work = &work_;
  command.counts = counters_.get();
  record->add(command);
}

void _cl_event::release_followers(cl_int status, const Engine* helped, _cl_event*& completed) {
  Edge* edge = followers_.exchange(closed<Edge>(), std::memory_order_acq_rel);
  Edge* first = nullptr;
  while (edge) {  // the stack, turned round: first come, first served
    Edge* next = edge->next;
    edge->next = first;
    first = edge;
    edge = next;
  }
  while (first) {
    _cl_event* follower = first->follower;
    const bool fails = first->passes_errors && status < 0;
    first = first->next;  // the edge dies with its follower
    if (fails) follower->dependency_failed_.store(true, std::memory_order_relaxed);
    if (follower->unmet_.fetch_sub(1, std::memory_order_acq_rel) == 1) follower->start(helped, completed);
  }
}

// ---- The engine's side ----

void _cl_event::begin_job(Job& job, std::uint64_t now_ns) {
  auto& self = static_cast<_cl_event&>(job);
  if (self.is_timed()) self.started_ns_ = now_ns;
  if (auto* const kernel = std::get_if<KernelWork>(&self.work_); kernel && kernel->counting) kernel->counting->begin(now_ns);
  self.set_status(CL_RUNNING);
}

void _cl_event::run_job(Job& job, Worker& worker, std::uint64_t first, std::uint64_t count) {
  auto& self = static_cast<_cl_event&>(job);
  if (auto* kernel = std::get_if<KernelWork>(&self.work_)) {
    if (!kernel->run(worker, first, count)) self.abandon();
  } else if (auto* copy = std::get_if<CopyWork>(&self.work_)) {
    copy->run(worker, first, count);
  } else if (auto* fill = std::get_if<FillWork>(&self.work_)) {
    fill->run(worker, first, count);
  } else if (auto* fill_box = std::get_if<FillBoxWork>(&self.work_)) {
    fill_box->run(worker, first, count);
  } else if (auto* host = std::get_if<HostWork>(&self.work_)) {
    host->run(worker, first, count);
  }
}

void _cl_event::end_job(Job& job, float mean_part_ns) {
  auto& self = static_cast<_cl_event&>(job);
  cl_int status = CL_COMPLETE;
  if (auto* kernel = std::get_if<KernelWork>(&self.work_)) {
    switch (kernel->finish(mean_part_ns)) {
      case weft::device::LaunchStatus::kDone:
        if (kernel->counting) self.counters_ = kernel->counting->end(kernel->launch, kernel->others);
        break;
      case weft::device::LaunchStatus::kDivergentBarrier:
        self.context().report("work-items of a work-group waited at different barriers");
        status = CL_INVALID_OPERATION;
        break;
      case weft::device::LaunchStatus::kOutOfMemory:
        self.context().report("no memory for the private variables of a work-group");
        status = CL_OUT_OF_RESOURCES;
        break;
    }
  }
  if (auto* const kernel = std::get_if<KernelWork>(&self.work_); kernel && kernel->children) {
    if (self.is_timed()) self.ended_ns_ = weft::device::now_ns();
    if (!kernel->children->end(status)) return;  // the last of them completes this
  }
  // The caller, a thread of the engine's, looks for more afterwards.
  self.complete(status, &self.queue_->engine());
}

// ---- The application's side ----

void _cl_event::wait() {
  // Even if it is over: what was submitted for the caller to run needs it, or else a worker woken, once.
  const auto over = [this] { return is_over(); };
  Engine& engine = queue_ ? queue_->engine() : the_device.engine();
  std::uint64_t idle_since = 0;
  for (;;) {
    engine.help_until(queue_.get(), over);
    if (is_over()) return;
    const std::uint64_t now = weft::device::now_ns();
    if (idle_since == 0) idle_since = now;
    if (now - idle_since > kWaitSpinNs) {
      // In the child of a fork nobody else takes what a thread beside the workers, which ran a part of the job before, has made ready.
      if (!weft::runtime::is_forked()) break;
      std::this_thread::sleep_for(kForkedLook);
    }
    for (int i = 0; i < 32 && !is_over(); ++i) _mm_pause();
  }
  for (cl_int now = status(); now > CL_COMPLETE; now = status()) status_.wait(now, std::memory_order_acquire);
}

bool _cl_event::set_user_status(cl_int status) {
  const UserState before = user_state_.exchange(UserState::kSet);
  if (before == UserState::kSet) return false;
  const Ref<_cl_event> self(this);  // a thread that waits may release it as soon as it wakes
  complete(status, nullptr);
  if (before == UserState::kAbandoned) weft::runtime::release(this);
  return true;
}

void _cl_event::release() {
  const Edge* const followers = followers_.load(std::memory_order_acquire);
  if (is_user_event() && api_count() == 1 && followers && followers != closed<Edge>()) {
    UserState state = UserState::kOpen;
    if (user_state_.compare_exchange_strong(state, UserState::kAbandoned)) return;
    require(state != UserState::kAbandoned, CL_INVALID_EVENT);
  }
  weft::runtime::release(this);
}

void _cl_event::set_status(cl_int status) {
  if (is_hidden_ && status > CL_COMPLETE) return status_.store(status, std::memory_order_release);  // nobody is told of these
  status_.store(status, std::memory_order_seq_cst);
  if (has_registrations_.load(std::memory_order_seq_cst)) notify(status);
}

/// Calls what is due at `status`: what was registered for it, and all that is left at an error.
void _cl_event::notify(cl_int status) {
  std::vector<Registration> due;
  {
    std::lock_guard lock(registrations_lock_);
    const auto is_later = [status](const Registration& r) { return r.status < status; };
    const auto first = std::stable_partition(registrations_.begin(), registrations_.end(), is_later);
    due.assign(first, registrations_.end());
    registrations_.erase(first, registrations_.end());
  }
  // States come in this order; one that was skipped is due with the next.
  std::stable_sort(due.begin(), due.end(), [](const auto& a, const auto& b) { return a.status > b.status; });
  if (status < 0 && !due.empty()) note_told();
  for (const Registration& r : due) call_back(*this, status < 0 ? status : r.status, r.callback, r.user_data);
}

void _cl_event::on_status(cl_int status, Callback callback, void* user_data) {
  {
    std::lock_guard lock(registrations_lock_);
    registrations_.push_back({status, callback, user_data});
  }
  has_registrations_.store(true, std::memory_order_seq_cst);
  // Either this load sees the new status or its setter sees the registration; the list's lock settles the
  // rest.
  notify(status_.load(std::memory_order_seq_cst));
}

void _cl_event::note_failure_told() { queue_->note_told(*this); }

void _cl_event::info(cl_event_info name, const InfoWriter& out) {
  switch (name) {
    case CL_EVENT_COMMAND_QUEUE:
      return out.value<cl_command_queue>(queue_.get());
    case CL_EVENT_CONTEXT:
      return out.value<cl_context>(&context());
    case CL_EVENT_COMMAND_TYPE:
      return out.value(type_);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
      // A program that polls may never flush.
      if (queue_ && status() == CL_QUEUED) queue_->flush();
      note_told();
      return out.value(status());
    case CL_EVENT_REFERENCE_COUNT:
      return out.value(api_count());
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

void _cl_event::profiling_info(cl_profiling_info name, const InfoWriter& out) const {
  if (QueueCounters::is_query(name)) {
    require(status() == CL_COMPLETE && counters_ && queue_->counters().any(), CL_PROFILING_INFO_NOT_AVAILABLE);
    return queue_->counters().write(name, *counters_, out);
  }
  const bool available = is_profiled() && status() == CL_COMPLETE;
  switch (name) {
    case CL_PROFILING_COMMAND_QUEUED:
    case CL_PROFILING_COMMAND_SUBMIT:
    case CL_PROFILING_COMMAND_START:
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE:
      require(available, CL_PROFILING_INFO_NOT_AVAILABLE);
      break;
    default:
      throw Error{CL_INVALID_VALUE};
  }
  const _cl_event& first = begin_ ? *begin_ : *this;
  switch (name) {
    case CL_PROFILING_COMMAND_QUEUED:
      return out.value<cl_ulong>(first.queued_ns_);
    case CL_PROFILING_COMMAND_SUBMIT:
      return out.value<cl_ulong>(first.submitted_ns_);
    case CL_PROFILING_COMMAND_START:
      return out.value<cl_ulong>(first.started_ns_);
    case CL_PROFILING_COMMAND_COMPLETE:
      return out.value<cl_ulong>(std::max(ended_ns_, completed_ns_));
    default:
      return out.value<cl_ulong>(ended_ns_);
  }
}
