#include "runtime/semaphore.h"

#include "runtime/device.h"

using namespace weft::runtime;
namespace api = weft::semaphore_api;

cl_event _cl_semaphore_khr::take(const Ref<_cl_event>& event) {
  if (descriptor_) {
    // Always behind those that wait already.
    await_signal(descriptor_, event);
    return event.get();
  }
  std::lock_guard lock(mutex_);
  if (is_signaled_) {
    is_signaled_ = false;
    return nullptr;
  }
  waiters_.push_back(event);
  return event.get();
}

void _cl_semaphore_khr::signal() {
  if (descriptor_) return descriptor_->signal();
  Ref<_cl_event> first;
  {
    std::lock_guard lock(mutex_);
    if (waiters_.empty()) {
      is_signaled_ = true;
      return;
    }
    first = std::move(waiters_.front());
    waiters_.pop_front();
  }
  first->set_user_status(CL_COMPLETE);  // outside of the lock: what waits for it may start here
}

void _cl_semaphore_khr::info(cl_uint name, const InfoWriter& out) const {
  switch (name) {
    case api::kContext:
      return out.value<cl_context>(context_.get());
    case api::kReferenceCount:
      return out.value(api_count());
    case api::kProperties:
      return out.array(properties_);
    case api::kPayload: {
      if (descriptor_) return out.value<cl_ulong>(descriptor_->is_signaled() ? 1 : 0);
      std::lock_guard lock(mutex_);
      return out.value<cl_ulong>(is_signaled_ ? 1 : 0);
    }
    case api::kType:
      return out.value(api::kBinary);
    case api::kDeviceHandleList:
      return out.value<cl_device_id>(device_.get());
    case api::kExports:
      return is_exportable_ ? out.value(api::kOpaqueFd) : out.array(std::vector<cl_uint>());
    case api::kIsExportable:
      return out.value<cl_bool>(is_exportable_);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}
