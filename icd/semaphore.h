// The entry points of cl_khr_semaphore.
#pragma once

#include "runtime/opencl.h"

struct _cl_semaphore_khr;

namespace weft::icd {

using SemaphoreHandle = ::_cl_semaphore_khr*;

CL_API_ENTRY SemaphoreHandle CL_API_CALL clCreateSemaphoreWithPropertiesKHR(cl_context context,
                                                                            const cl_properties* properties,
                                                                            cl_int* errcode_ret);
CL_API_ENTRY cl_int CL_API_CALL clRetainSemaphoreKHR(SemaphoreHandle semaphore);
CL_API_ENTRY cl_int CL_API_CALL clReleaseSemaphoreKHR(SemaphoreHandle semaphore);
CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreInfoKHR(SemaphoreHandle semaphore, cl_uint param_name, size_t param_value_size,
                                                      void* param_value, size_t* param_value_size_ret);
CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue, cl_uint num_semaphores,
                                                           const SemaphoreHandle* semaphores, const cl_ulong* payloads,
                                                           cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                           cl_event* event);
CL_API_ENTRY cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue, cl_uint num_semaphores,
                                                             const SemaphoreHandle* semaphores, const cl_ulong* payloads,
                                                             cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                             cl_event* event);
/// Of cl_khr_external_semaphore.
CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(SemaphoreHandle semaphore, cl_device_id device,
                                                               cl_uint handle_type, size_t handle_size, void* handle_ptr,
                                                               size_t* handle_size_ret);

}  // namespace weft::icd
