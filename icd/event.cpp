// Events (OpenCL 3.0 API §5.11, §5.14).
#include "runtime/event.h"

#include "icd/entry.h"
#include "runtime/queue.h"

namespace weft::icd {
namespace {

using runtime::Context;
using runtime::Event;
using runtime::Ref;

}  // namespace

cl_int clWaitForEvents(cl_uint num_events, const cl_event* event_list) {
  return guarded([&]() -> cl_int {
    require(num_events > 0 && event_list, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_events; ++i) {
      const Event& event = checked(event_list[i], CL_INVALID_EVENT);
      require(&event.context() == &event_list[0]->context(), CL_INVALID_CONTEXT);
    }
    // Every one may be needed before the first is over: all queues are flushed before any wait. While it waits for one event, this
    // thread runs what the device of that one has to do.
    const runtime::Queue* const helped = event_list[0]->queue();
    for (cl_uint i = 0; i < num_events; ++i) {
      runtime::Queue* const queue = event_list[i]->queue();
      if (!queue || event_list[i]->status() != CL_QUEUED) continue;
      const bool is_helped = helped && &queue->device() == &helped->device();
      queue->flush(is_helped ? Event::Wake::kCaller : Event::Wake::kWorkers);
    }
    bool failed = false;
    for (cl_uint i = 0; i < num_events; ++i) {
      event_list[i]->wait();
      event_list[i]->note_told();
      failed |= event_list[i]->status() < 0;
    }
    return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
  });
}

cl_int clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size, void* param_value,
                      size_t* param_value_size_ret) {
  return guarded([&] {
    checked(event, CL_INVALID_EVENT)
        .info(param_name, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

cl_int clRetainEvent(cl_event event) {
  return guarded([&] { retain(&checked(event, CL_INVALID_EVENT)); });
}

cl_int clReleaseEvent(cl_event event) {
  return guarded([&] { checked(event, CL_INVALID_EVENT).release(); });
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name, size_t param_value_size,
                               void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    checked(event, CL_INVALID_EVENT)
        .profiling_info(param_name, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

cl_int clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                          void(CL_CALLBACK* pfn_notify)(cl_event, cl_int, void*), void* user_data) {
  return guarded([&] {
    Event& target = checked(event, CL_INVALID_EVENT);
    require(pfn_notify != nullptr, CL_INVALID_VALUE);
    require(command_exec_callback_type == CL_SUBMITTED || command_exec_callback_type == CL_RUNNING ||
                command_exec_callback_type == CL_COMPLETE,
            CL_INVALID_VALUE);
    target.on_status(command_exec_callback_type, pfn_notify, user_data);
    // Who waits for a callback may never flush.
    if (target.queue() && target.status() == CL_QUEUED) target.queue()->flush();
  });
}

cl_event clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_event {
    return publish(runtime::make<Event>(&checked(context, CL_INVALID_CONTEXT)));
  });
}

cl_int clSetUserEventStatus(cl_event event, cl_int execution_status) {
  return guarded([&] {
    Event& target = checked(event, CL_INVALID_EVENT);
    require(target.is_user_event(), CL_INVALID_EVENT);
    require(execution_status <= CL_COMPLETE, CL_INVALID_VALUE);
    require(target.set_user_status(execution_status), CL_INVALID_OPERATION);
  });
}

}  // namespace weft::icd
