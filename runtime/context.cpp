#include "runtime/context.h"

#include <cstdio>

_cl_context::~_cl_context() {
  for (auto entry = destructor_callbacks_.rbegin(); entry != destructor_callbacks_.rend(); ++entry) {
    entry->first(this, entry->second);
  }
}

void _cl_context::info(cl_context_info name, const weft::runtime::InfoWriter& out) const {
  using namespace weft::runtime;
  switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT:
      return out.value<cl_uint>(api_count());
    case CL_CONTEXT_NUM_DEVICES:
      return out.value<cl_uint>(1);
    case CL_CONTEXT_DEVICES:
      return out.value<cl_device_id>(&the_device);
    case CL_CONTEXT_PROPERTIES:
      return out.array(properties_);
    default:
      throw Error{CL_INVALID_VALUE};
  }
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
