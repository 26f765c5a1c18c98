#include "runtime/device_queue.h"

#include <algorithm>
#include <mutex>
#include <span>

#include "runtime/device.h"
#include "runtime/error.h"
#include "runtime/event.h"
#include "runtime/kernel.h"
#include "runtime/launch.h"
#include "runtime/queue.h"

namespace weft::runtime {
namespace {

/// Results of enqueue_kernel (OpenCL C 3.0 §6.15.17.2); those that are not here are codes of the API.
enum EnqueueResult : std::int32_t {
  kSuccess = 0,
  kFailure = -101,
  kInvalidQueue = -102,
  kInvalidRange = -160,
  kQueueFull = -161,
  kNoEvent = -100,
};

/// A user event that could not be made, as CLK_NULL_EVENT.
constexpr std::uint64_t kNullEvent = ~std::uint64_t{0};

template <class T>
std::uint64_t number_of(T* handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

}  // namespace

void ChildCommand::capture(std::uint64_t* to) {
  std::lock_guard lock(lock_);
  if (has_times_) {
    std::ranges::copy(times_ns_, to);
  } else {
    captures_.push_back(to);
  }
}

void ChildCommand::note_end(std::uint64_t execution_ns, std::uint64_t completion_ns) {
  tree.reset();  // a kernel may keep the event for longer
  std::lock_guard lock(lock_);
  has_times_ = true;
  times_ns_[0] = execution_ns;
  times_ns_[1] = completion_ns;
  for (std::uint64_t* const to : captures_) std::ranges::copy(times_ns_, to);
  captures_.clear();
}

void DeviceEvents::add(_cl_event& event) noexcept {
  std::lock_guard lock(lock_);
  if (events_.size() == events_.capacity()) std::erase_if(events_, [](const auto& each) { return !each.get(); });
  try {
    if (events_.size() >= events_.capacity() / 2) events_.reserve(2 * events_.capacity() + 16);
    events_.emplace_back(&event);
  } catch (const std::bad_alloc&) {
    // It is the program's to release.
  }
}

void DeviceEvents::leave() noexcept {
  if (users_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  std::vector<WeakHandle<_cl_event>> left;
  {
    std::lock_guard lock(lock_);
    left.swap(events_);
  }
  for (const auto& each : left)
    while (_cl_event* const event = each.get()) release(event);
}

LaunchTree::LaunchTree(_cl_kernel& launched, _cl_command_queue& queue)
    : kernel(&launched), host_queue(&queue), default_queue(queue.context().default_queue(queue.device())) {
  queue.context().device_events().enter();
}

LaunchTree::~LaunchTree() { host_queue->context().device_events().leave(); }

Children::Children(_cl_event& parent, std::shared_ptr<const LaunchTree> tree)
    : abi::DeviceQueues{enqueue_service, call_service}, parent_(parent), context_(parent.context()), tree_(std::move(tree)) {}

std::int32_t Children::enqueue_service(abi::DeviceQueues* self, const abi::EnqueueRecord* record) noexcept {
  std::int32_t result = kFailure;
  try {
    result = static_cast<Children*>(self)->enqueue(*record);
  } catch (const Error& error) {
    result = error.code;
  } catch (const std::bad_alloc&) {
    result = CL_OUT_OF_RESOURCES;
  }
  return result == kSuccess || (record->flags & abi::kEnqueueExplains) ? result : static_cast<std::int32_t>(kFailure);
}

std::uint64_t Children::call_service(abi::DeviceQueues* self, std::uint32_t function, std::uint64_t first, std::uint64_t second) noexcept {
  try {
    return static_cast<Children*>(self)->call(static_cast<abi::QueueFunction>(function), first, second);
  } catch (...) {
    return function == static_cast<std::uint32_t>(abi::QueueFunction::kCreateUserEvent) ? kNullEvent : 0;
  }
}

/// The application may have released the default queue since it enqueued the launch.
_cl_command_queue& Children::queue_of(std::uint64_t handle) const {
  if (handle && handle == number_of(tree_->default_queue.get())) return *tree_->default_queue;
  auto* const queue = from_handle(reinterpret_cast<cl_command_queue>(handle));
  require(queue && queue->is_on_device() && &queue->context() == &context_, kInvalidQueue);
  return *queue;
}

/// Null if there is none.
_cl_event* Children::event_of(std::uint64_t handle) const {
  auto* const event = from_handle(reinterpret_cast<cl_event>(handle));
  return event && &event->context() == &context_ ? event : nullptr;
}

/// Makes `command` one that runs a block, but for its code.
void Children::set_work(_cl_event& command, ChildCommand& child, const abi::EnqueueRecord& record) {
  _cl_kernel* const kernel = tree_->kernel->block(record.block);
  require(kernel != nullptr, kFailure);
  const abi::DeviceRange& range = *record.range;
  try {
    child.range = make_ndrange(kernel->description(), range.work_dim, range.offset, range.global, range.local[0] ? range.local : nullptr,
                               Device::num_workers());
  } catch (const Error& error) {
    throw Error{error.code == CL_OUT_OF_RESOURCES ? error.code : static_cast<cl_int>(kInvalidRange)};
  }
  SharedArguments arguments = kernel->bind_block(*record.literal, {record.local_bytes, record.num_locals});
  require(arguments->local_bytes <= Device::kLocalMemSize, CL_OUT_OF_RESOURCES);
  if (child.range.is_empty()) return;
  auto& work = command.work().emplace<KernelWork>();
  work.kernel = kernel;
  work.arguments = std::move(arguments);
}

/// The event's handle, for a work-item.
std::uint64_t Children::give(Ref<_cl_event> event) {
  _cl_event* const handle = publish(std::move(event));
  context_.device_events().add(*handle);
  return number_of(handle);
}

std::int32_t Children::enqueue(const abi::EnqueueRecord& record) {
  _cl_command_queue& queue = queue_of(record.queue);
  const bool is_marker = record.block == abi::kNoBlock;
  require((record.num_waits == 0) == (record.waits == nullptr) && !(is_marker && record.num_waits == 0), CL_INVALID_EVENT_WAIT_LIST);
  std::vector<cl_event> waits(record.num_waits);
  for (std::uint32_t i = 0; i < record.num_waits; ++i) {
    waits[i] = event_of(record.waits[i]);
    require(waits[i] != nullptr, CL_INVALID_EVENT_WAIT_LIST);
  }
  auto child = std::make_unique<ChildCommand>();
  child->siblings = this;
  child->tree = tree_;
  const std::uint64_t bytes = sizeof(abi::EnqueueRecord) + (is_marker ? 0 : sizeof(abi::DeviceRange) + record.literal->size) +
                              (record.num_locals + record.num_waits) * sizeof(std::uint64_t);
  Ref<Event> command = make<Event>(&queue, is_marker ? CL_COMMAND_MARKER : CL_COMMAND_NDRANGE_KERNEL);
  if (!is_marker) set_work(*command, *child, record);
  command->reserve(waits.size());
  std::lock_guard lock(lock_);
  if (enqueued_.size() == enqueued_.capacity()) enqueued_.reserve(2 * enqueued_.size() + 16);
  require(queue.take_room(bytes), kQueueFull);  // nothing below fails
  child->bytes = bytes;
  command->make_child(std::move(child));
  if (!record.event) command->note_hidden();
  unfinished_.fetch_add(1, std::memory_order_relaxed);
  enqueued_.push_back(command.get());
  queue.hold(command, waits);
  if (record.event) *record.event = give(std::move(command));
  return kSuccess;
}

std::uint64_t Children::call(abi::QueueFunction function, std::uint64_t first, std::uint64_t second) {
  using enum abi::QueueFunction;
  _cl_event* event = nullptr;
  switch (function) {
    case kDefaultQueue: return number_of(tree_->default_queue.get());
    case kCreateUserEvent: return give(make<Event>(&context_));
    case kWorkGroupSize: {
      const _cl_kernel* const kernel = tree_->kernel->block(static_cast<std::uint32_t>(first));
      return kernel ? max_work_group_size(kernel->description()) : 0;
    }
    default: event = event_of(first);
  }
  if (!event) return 0;
  switch (function) {
    case kRetainEvent: retain(event); break;
    case kReleaseEvent: event->release(); break;
    case kSetUserEventStatus:
      if (const auto status = static_cast<cl_int>(second); event->is_user_event() && status <= CL_COMPLETE) event->set_user_status(status);
      break;
    case kCaptureProfiling:
      if (ChildCommand* const child = event->child()) child->capture(reinterpret_cast<std::uint64_t*>(second));
      break;
    default: break;
  }
  return 1;
}

bool Children::end(cl_int& status) {
  // No work-item runs any more. A child is gone once it is over.
  const std::vector<_cl_event*> enqueued = std::move(enqueued_);
  for (_cl_event* const command : enqueued) {
    if (auto* const work = std::get_if<KernelWork>(&command->work())) {
      const ChildCommand& child = *command->child();
      try {
        set_code(*command, child.range, child.tree);
      } catch (const Error& error) {
        work->refused = error.code;
      } catch (const std::bad_alloc&) {
        work->refused = CL_OUT_OF_HOST_MEMORY;
      }
    }
    _cl_command_queue& queue = *command->queue();
    queue.submit_held(*command, &queue.engine() == &parent_.queue()->engine() ? Event::Wake::kCaller : Event::Wake::kWorkers);
  }
  return end_one(status);
}

bool Children::end_one(cl_int& status) {
  if (status < 0) {
    cl_int none = CL_COMPLETE;
    worst_.compare_exchange_strong(none, status, std::memory_order_relaxed);
  }
  if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) != 1) return false;
  status = worst_.load(std::memory_order_relaxed);
  return true;
}

}  // namespace weft::runtime
