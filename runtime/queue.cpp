#include "runtime/queue.h"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <utility>

#include "runtime/record.h"

using namespace weft::runtime;

namespace {

/// Commands are held back until they are expected to take this long together: what waking a worker costs.
constexpr float kHoldNs = 20'000;
/// Counted for a command beside its work, so that the number held back is bounded too. Less than it costs
/// (150 ns): two threads that pass tiny commands to each other take three times as long as one alone.
constexpr float kCommandNs = 20;
/// Of a measured time, what the clock and the call take.
constexpr float kMeasureNs = 80;
/// Commands shorter than this on average cost less where they are enqueued than in the hands of a worker,
/// whose processor has to fetch all that they touch.
constexpr float kTinyNs = 200;
/// So many of them are run by the enqueuing thread at a time: enough to pay for looking for work, few enough
/// to stay in the first-level cache.
constexpr unsigned kTinyBatch = 32;

/// How long a command is expected to take; forever, if that is not known.
float expected_ns(const Work& work) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.parts(); }) {
          const float part_ns = one.part_ns();
          if (part_ns <= 0) return kHoldNs;
          return std::max(kCommandNs, part_ns * static_cast<float>(one.parts()) - kMeasureNs);
        } else {
          return kCommandNs;
        }
      },
      work);
}

constexpr std::size_t kMostOfCode = 2;

/// What ends once a launch's code is made, the largest part's and the others'; null where it is there.
std::array<_cl_event*, kMostOfCode> code_of(_cl_event& event) {
  const auto* const launch = std::get_if<KernelWork>(&event.work());
  const auto end_of = [](const std::shared_ptr<const Generation>& pending) { return pending ? pending->over.get() : nullptr; };
  if (!launch) return {};
  return {end_of(launch->pending), end_of(launch->others_pending)};
}

}  // namespace

_cl_command_queue::_cl_command_queue(cl_context context, Device& device, cl_command_queue_properties properties,
                                     std::vector<cl_queue_properties> properties_array, QueueCounters counters,
                                     int priority, std::uint32_t device_size)
    : context_(context),
      device_(&device),
      properties_(properties),
      properties_array_(std::move(properties_array)),
      counters_(std::move(counters)),
      record_number_(record_queue(is_in_order(), is_profiled())),
      priority_(priority),
      device_size_(device_size) {
  context->add_queue(*this);
  if (is_on_device()) context->device_events().enter();
}

_cl_command_queue::~_cl_command_queue() { context_->remove_queue(*this); }

void _cl_command_queue::on_last_release() {
  if (is_on_device()) context_->device_events().leave();
}

/// Commands of other queues that are waited for may be held back there.
void _cl_command_queue::flush_others(std::span<const cl_event> waits) {
  for (cl_event wait : waits) {
    if (wait->queue() && wait->queue() != this && wait->status() == CL_QUEUED) wait->queue()->flush();
  }
}

/// Puts a command behind those that are not over. Under the lock.
void _cl_command_queue::append(_cl_event& event) {
  event.sequence_ = next_sequence_++;
  event.previous_in_queue_ = newest_;
  (newest_ ? newest_->next_in_queue_ : oldest_) = &event;
  newest_ = &event;
  ++num_pending_;
}

void _cl_command_queue::hold(Ref<_cl_event> command, std::span<const cl_event> waits) {
  for (cl_event wait : waits) command->follow(*wait, /*passes_errors=*/true);
  std::lock_guard lock(lock_);
  append(*command.detach());
}

void _cl_command_queue::submit_held(_cl_event& event, _cl_event::Wake wake) {
  for (_cl_event* const code : code_of(event))
    if (code) event.follow(*code, false);
  event.submit(wake);
}

bool _cl_command_queue::take_room(std::uint64_t bytes) noexcept {
  std::uint64_t taken = taken_bytes_.load(std::memory_order_relaxed);
  do {
    if (bytes > device_size_ - taken) return false;
  } while (!taken_bytes_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
  return true;
}

/// Puts a command that has room for its edges into the graph, which has the caller's reference to it until it is over. Under the lock.
void _cl_command_queue::link(_cl_event& event, std::span<const cl_event> waits, float cost_ns, bool follows_all,
                             bool blocks_later) {
  for (cl_event wait : waits) event.follow(*wait, /*passes_errors=*/true);
  for (_cl_event* const code : code_of(event))
    if (code) event.follow(*code, false);  // its end the command looks at itself
  if (is_in_order()) {
    if (newest_) event.follow(*newest_, false);
  } else {
    if (barrier_) event.follow(*barrier_, false);
    if (follows_all) {
      for (_cl_event* each = oldest_; each; each = each->next_in_queue_) event.follow(*each, false);
    }
    if (blocks_later) barrier_ = &event;
  }
  append(event);
  (last_unflushed_ ? last_unflushed_->next_unflushed_ : first_unflushed_) = &event;
  last_unflushed_ = &event;
  unflushed_ns_ += cost_ns;
  ++num_unflushed_;
}

// Under the lock.
bool _cl_command_queue::is_full() const { return unflushed_ns_ >= kHoldNs; }
bool _cl_command_queue::is_tiny() const {
  return num_unflushed_ >= kTinyBatch && unflushed_ns_ <= kTinyNs * static_cast<float>(num_unflushed_);
}

void _cl_command_queue::run_or_flush(bool is_tiny, bool is_full) {
  if (is_tiny) {
    flush(_cl_event::Wake::kCaller);
    engine().help_until(this, [left = 2 * kTinyBatch]() mutable { return left-- == 0; });
  } else if (is_full) {
    flush();
  }
}

void _cl_command_queue::enqueue(Ref<_cl_event> command, std::span<const cl_event> waits, Order order,
                                bool blocks_later) {
  _cl_event& event = *command;
  flush_others(waits);
  const float cost_ns = expected_ns(event.work());
  const std::size_t direct = waits.size() + static_cast<std::size_t>(std::ranges::count_if(code_of(event), std::identity()));
  const bool follows_all = order == Order::kAllBefore && !is_in_order();
  bool full, tiny;
  {
    std::unique_lock lock(lock_);
    if (follows_all) {
      // Room for all of them without allocating under the lock; more may come meanwhile.
      for (std::size_t room = 0; room < num_pending_;) {
        room = num_pending_ + 16;
        lock.unlock();
        event.reserve_edges(direct + room + 1);
        lock.lock();
      }
    } else {
      if (direct + 2 > _cl_event::kInlineEdges) {
        lock.unlock();
        event.reserve_edges(direct + 2);
        lock.lock();
      }
    }
    link(*command.detach(), waits, cost_ns, follows_all, blocks_later);
    full = is_full(), tiny = is_tiny();
  }
  run_or_flush(tiny, full);
}

void _cl_command_queue::enqueue(std::span<const Entry> commands) {
  for (const Entry& entry : commands) {
    flush_others(entry.waits);
    entry.command->reserve_edges(entry.waits.size() + 2 + kMostOfCode);
  }
  bool full, tiny;
  {
    std::lock_guard lock(lock_);
    for (const Entry& entry : commands) {
      entry.command->add_ref();
      link(*entry.command, entry.waits, expected_ns(entry.command->work()), false, false);
    }
    full = is_full(), tiny = is_tiny();
  }
  run_or_flush(tiny, full);
}

std::uint64_t _cl_command_queue::flush(_cl_event::Wake wake) {
  _cl_event* event;
  std::uint64_t last;
  {
    std::lock_guard lock(lock_);
    last = next_sequence_ - 1;
    event = first_unflushed_;
    first_unflushed_ = last_unflushed_ = nullptr;
    unflushed_ns_ = 0;
    num_unflushed_ = 0;
  }
  while (event) {
    _cl_event* next = event->next_unflushed_;
    event->submit(wake);  // may be over, and gone, at the return
    event = next;
  }
  return last;
}

void _cl_event::reserve(std::size_t count) { reserve_edges(count + kMostOfCode); }

void _cl_command_queue::finish() {
  // Not those that other threads have enqueued since: they are not submitted.
  const std::uint64_t last = flush(_cl_event::Wake::kCaller);
  for (;;) {
    Ref<_cl_event> event;
    {
      std::lock_guard lock(lock_);
      // In order the newest ends last; but a later one may have come from another thread.
      _cl_event* wanted = is_in_order() ? newest_ : oldest_;
      while (wanted && wanted->sequence_ > last)
        wanted = is_in_order() ? wanted->previous_in_queue_ : nullptr;
      if (!wanted) break;
      event = Ref<_cl_event>(wanted);
    }
    event->wait();
    if (is_in_order()) return;
  }
  // Nothing is left to wait for, yet what other commands made ready may be the caller's to run.
  engine().help_until(this, [] { return true; });
}

void _cl_command_queue::forget(_cl_event& command) {
  std::lock_guard lock(lock_);
  (command.previous_in_queue_ ? command.previous_in_queue_->next_in_queue_ : oldest_) =
      command.next_in_queue_;
  (command.next_in_queue_ ? command.next_in_queue_->previous_in_queue_ : newest_) =
      command.previous_in_queue_;
  --num_pending_;
  if (barrier_ == &command) barrier_ = nullptr;
}

void _cl_command_queue::note_failure(_cl_event& command) {
  std::lock_guard lock(lock_);
  command.failure_epoch_ = failure_epoch_;
  num_failures_.store(num_failures_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void _cl_command_queue::note_told(_cl_event& command) {
  std::lock_guard lock(lock_);
  if (std::exchange(command.failure_epoch_, 0) == failure_epoch_)
    num_failures_.store(num_failures_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
}

bool _cl_command_queue::take_failures() {
  if (num_failures_.load(std::memory_order_relaxed) == 0) return false;
  std::lock_guard lock(lock_);
  ++failure_epoch_;
  return num_failures_.exchange(0, std::memory_order_relaxed) != 0;
}

void _cl_command_queue::info(cl_command_queue_info name, const InfoWriter& out) const {
  switch (name) {
    case CL_QUEUE_CONTEXT:
      return out.value<cl_context>(context_.get());
    case CL_QUEUE_DEVICE:
      return out.value<cl_device_id>(device_.get());
    case CL_QUEUE_REFERENCE_COUNT:
      return out.value(api_count());
    case CL_QUEUE_PROPERTIES:
      return out.value(properties_);
    case CL_QUEUE_SIZE:
      require(is_on_device(), CL_INVALID_COMMAND_QUEUE);
      return out.value<cl_uint>(device_size_);
    case CL_QUEUE_DEVICE_DEFAULT:
      return out.value<cl_command_queue>(context_->default_queue(*device_).get());
    case CL_QUEUE_PROPERTIES_ARRAY:
      return out.array(properties_array_);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}
