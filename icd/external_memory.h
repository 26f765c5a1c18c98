// The entry points of cl_khr_external_memory.
#pragma once

#include "runtime/opencl.h"

namespace weft::icd {

CL_API_ENTRY cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(cl_command_queue command_queue, cl_uint num_mem_objects,
                                                                      const cl_mem* mem_objects, cl_uint num_events_in_wait_list,
                                                                      const cl_event* event_wait_list, cl_event* event);
CL_API_ENTRY cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(cl_command_queue command_queue, cl_uint num_mem_objects,
                                                                      const cl_mem* mem_objects, cl_uint num_events_in_wait_list,
                                                                      const cl_event* event_wait_list, cl_event* event);

}  // namespace weft::icd
