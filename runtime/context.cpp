#include "runtime/context.h"

#include <algorithm>
#include <cstdio>

#include "runtime/queue.h"

_cl_context::_cl_context(DeviceList devices, std::vector<cl_context_properties> properties, Notify notify, void* user_data)
    : devices_(std::move(devices)), properties_(std::move(properties)), notify_(notify), user_data_(user_data) {
  for (const auto& device : devices_) {
    if (!device->is_root()) weft::runtime::retain(device.get());
  }
}

_cl_context::~_cl_context() {
  for (auto entry = destructor_callbacks_.rbegin(); entry != destructor_callbacks_.rend(); ++entry) {
    entry->first(this, entry->second);
  }
  for (const auto& device : devices_) {
    if (!device->is_root()) weft::runtime::release(device.get());
  }
}

void _cl_context::info(cl_context_info name, const weft::runtime::InfoWriter& out) const {
  using namespace weft::runtime;
  switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT:
      return out.value<cl_uint>(api_count());
    case CL_CONTEXT_NUM_DEVICES:
      return out.value(static_cast<cl_uint>(devices_.size()));
    case CL_CONTEXT_DEVICES:
      return out.array(handles_of(devices_));
    case CL_CONTEXT_PROPERTIES:
      return out.array(properties_);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

std::vector<weft::runtime::Ref<_cl_command_queue>> _cl_context::queues() const {
  std::lock_guard lock(mutex_);
  std::vector<weft::runtime::Ref<_cl_command_queue>> list;
  list.reserve(queues_.size());
  for (_cl_command_queue* const queue : queues_) {
    // One that is dying waits for the mutex, in remove_queue().
    if (queue->try_add_ref()) list.push_back(weft::runtime::Ref<_cl_command_queue>::adopt(queue));
  }
  return list;
}

/// Under the mutex. Null if there is none.
_cl_command_queue* _cl_context::find_default_queue(const weft::runtime::Device& device) const {
  for (const auto& each : default_queues_) {
    _cl_command_queue* const queue = each.get();
    if (queue && &queue->device() == &device) return queue;
  }
  return nullptr;
}

weft::runtime::Ref<_cl_command_queue> _cl_context::default_queue(const weft::runtime::Device& device) const {
  std::lock_guard lock(mutex_);
  return weft::runtime::Ref<_cl_command_queue>(find_default_queue(device));
}

weft::runtime::Ref<_cl_command_queue> _cl_context::offer_default_queue(_cl_command_queue& queue) {
  std::lock_guard lock(mutex_);
  if (_cl_command_queue* const known = find_default_queue(queue.device())) return weft::runtime::Ref<_cl_command_queue>(known);
  std::erase_if(default_queues_, [](const auto& each) { return !each.get(); });
  default_queues_.emplace_back(&queue);
  return nullptr;
}

void _cl_context::set_default_queue(_cl_command_queue& queue) {
  std::lock_guard lock(mutex_);
  std::erase_if(default_queues_, [&](const auto& each) { return !each.get() || &each.get()->device() == &queue.device(); });
  default_queues_.emplace_back(&queue);
}

void _cl_context::add_queue(_cl_command_queue& queue) {
  std::lock_guard lock(mutex_);
  queues_.push_back(&queue);
}

void _cl_context::remove_queue(_cl_command_queue& queue) noexcept {
  std::lock_guard lock(mutex_);
  std::erase(queues_, &queue);
}

void _cl_context::report(const char* message) const {
  if (notify_) {
    notify_(message, nullptr, 0, user_data_);
  } else {
    std::fprintf(stderr, "%s\n", message);  // nobody else can be told
  }
}

void _cl_context::on_destroy(DestructorCallback callback, void* user_data) {
  std::lock_guard lock(mutex_);
  destructor_callbacks_.emplace_back(callback, user_data);
}
