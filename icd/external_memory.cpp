// Memory of other APIs changes hands (cl_khr_external_memory). All of it is one coherent memory, so that the commands only keep their
// place among the others.
#include "icd/external_memory.h"

#include "icd/enqueue.h"
#include "runtime/imported_memory.h"

namespace weft::icd {
namespace {

cl_int hand_over(cl_command_queue command_queue, cl_command_type type, cl_uint count, const cl_mem* handles, cl_uint num_waits,
                 const cl_event* waits, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_waits, waits, event);
    require((count == 0) == (handles == nullptr), CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; ++i) {
      const Memory& memory = checked(handles[i], CL_INVALID_MEM_OBJECT);
      require(memory.is_imported(), CL_INVALID_MEM_OBJECT);
      require(&memory.context() == &call.context() && memory.is_for(call.queue().device()), CL_INVALID_COMMAND_QUEUE);
    }
    for (const cl_event wait : call.waits()) require(wait->status() >= 0, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    return call.submit(call.command(type));
  });
}

}  // namespace

cl_int clEnqueueAcquireExternalMemObjectsKHR(cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
                                             cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return hand_over(command_queue, external_memory_api::kAcquireCommand, num_mem_objects, mem_objects, num_events_in_wait_list,
                   event_wait_list, event);
}

cl_int clEnqueueReleaseExternalMemObjectsKHR(cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
                                             cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return hand_over(command_queue, external_memory_api::kReleaseCommand, num_mem_objects, mem_objects, num_events_in_wait_list,
                   event_wait_list, event);
}

}  // namespace weft::icd
