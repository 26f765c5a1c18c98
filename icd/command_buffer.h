// The entry points of cl_khr_command_buffer and cl_khr_command_buffer_mutable_dispatch.
#pragma once

#include "runtime/command_buffer_api.h"

namespace weft::icd {

using CommandBufferHandle = command_buffer_api::Handle;
using MutableCommandHandle = command_buffer_api::MutableHandle;
using SyncPoint = command_buffer_api::SyncPoint;

CL_API_ENTRY CommandBufferHandle CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue* queues,
                                                                      const cl_properties* properties, cl_int* errcode_ret);
CL_API_ENTRY cl_int CL_API_CALL clFinalizeCommandBufferKHR(CommandBufferHandle command_buffer);
CL_API_ENTRY cl_int CL_API_CALL clRetainCommandBufferKHR(CommandBufferHandle command_buffer);
CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandBufferKHR(CommandBufferHandle command_buffer);
CL_API_ENTRY cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues,
                                                          CommandBufferHandle command_buffer, cl_uint num_events_in_wait_list,
                                                          const cl_event* event_wait_list, cl_event* event);
CL_API_ENTRY cl_int CL_API_CALL clGetCommandBufferInfoKHR(CommandBufferHandle command_buffer, cl_uint param_name,
                                                          size_t param_value_size, void* param_value,
                                                          size_t* param_value_size_ret);

CL_API_ENTRY cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                                                const cl_properties* properties, cl_uint num_sync_points,
                                                                const SyncPoint* sync_points, SyncPoint* sync_point,
                                                                MutableCommandHandle* mutable_handle);
CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                                       const cl_properties* properties, cl_mem src_buffer, cl_mem dst_buffer,
                                                       size_t src_offset, size_t dst_offset, size_t size,
                                                       cl_uint num_sync_points, const SyncPoint* sync_points,
                                                       SyncPoint* sync_point, MutableCommandHandle* mutable_handle);
CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferRectKHR(
    CommandBufferHandle command_buffer, cl_command_queue queue, const cl_properties* properties, cl_mem src_buffer,
    cl_mem dst_buffer, const size_t* src_origin, const size_t* dst_origin, const size_t* region, size_t src_row_pitch,
    size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch, cl_uint num_sync_points, const SyncPoint* sync_points,
    SyncPoint* sync_point, MutableCommandHandle* mutable_handle);
CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferToImageKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                                              const cl_properties* properties, cl_mem src_buffer,
                                                              cl_mem dst_image, size_t src_offset, const size_t* dst_origin,
                                                              const size_t* region, cl_uint num_sync_points,
                                                              const SyncPoint* sync_points, SyncPoint* sync_point,
                                                              MutableCommandHandle* mutable_handle);
CL_API_ENTRY cl_int CL_API_CALL clCommandCopyImageKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                                      const cl_properties* properties, cl_mem src_image, cl_mem dst_image,
                                                      const size_t* src_origin, const size_t* dst_origin,
                                                      const size_t* region, cl_uint num_sync_points,
                                                      const SyncPoint* sync_points, SyncPoint* sync_point,
                                                      MutableCommandHandle* mutable_handle);
CL_API_ENTRY cl_int CL_API_CALL clCommandCopyImageToBufferKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                                              const cl_properties* properties, cl_mem src_image,
                                                              cl_mem dst_buffer, const size_t* src_origin,
                                                              const size_t* region, size_t dst_offset,
                                                              cl_uint num_sync_points, const SyncPoint* sync_points,
                                                              SyncPoint* sync_point, MutableCommandHandle* mutable_handle);
CL_API_ENTRY cl_int CL_API_CALL clCommandFillBufferKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                                       const cl_properties* properties, cl_mem buffer, const void* pattern,
                                                       size_t pattern_size, size_t offset, size_t size,
                                                       cl_uint num_sync_points, const SyncPoint* sync_points,
                                                       SyncPoint* sync_point, MutableCommandHandle* mutable_handle);
CL_API_ENTRY cl_int CL_API_CALL clCommandFillImageKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                                      const cl_properties* properties, cl_mem image, const void* fill_color,
                                                      const size_t* origin, const size_t* region, cl_uint num_sync_points,
                                                      const SyncPoint* sync_points, SyncPoint* sync_point,
                                                      MutableCommandHandle* mutable_handle);
CL_API_ENTRY cl_int CL_API_CALL clCommandSVMMemcpyKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                                      const cl_properties* properties, void* dst_ptr, const void* src_ptr,
                                                      size_t size, cl_uint num_sync_points, const SyncPoint* sync_points,
                                                      SyncPoint* sync_point, MutableCommandHandle* mutable_handle);
CL_API_ENTRY cl_int CL_API_CALL clCommandSVMMemFillKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                                       const cl_properties* properties, void* svm_ptr, const void* pattern,
                                                       size_t pattern_size, size_t size, cl_uint num_sync_points,
                                                       const SyncPoint* sync_points, SyncPoint* sync_point,
                                                       MutableCommandHandle* mutable_handle);
CL_API_ENTRY cl_int CL_API_CALL clCommandNDRangeKernelKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                                          const cl_properties* properties, cl_kernel kernel,
                                                          cl_uint work_dim, const size_t* global_work_offset,
                                                          const size_t* global_work_size, const size_t* local_work_size,
                                                          cl_uint num_sync_points, const SyncPoint* sync_points,
                                                          SyncPoint* sync_point, MutableCommandHandle* mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL clUpdateMutableCommandsKHR(CommandBufferHandle command_buffer, cl_uint num_configs,
                                                           const cl_uint* config_types, const void** configs);
CL_API_ENTRY cl_int CL_API_CALL clGetMutableCommandInfoKHR(MutableCommandHandle command, cl_uint param_name,
                                                           size_t param_value_size, void* param_value,
                                                           size_t* param_value_size_ret);

}  // namespace weft::icd
