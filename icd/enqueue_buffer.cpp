// Reading, writing, copying, filling and mapping buffers (OpenCL 3.0 API §5.2.2 to §5.2.4).
#include "icd/enqueue.h"
#include "runtime/transfer.h"

namespace weft::icd {
namespace {

using runtime::Box;
using runtime::make_box;

void require_inside(const Memory& memory, const Box& box) {
  require(box.end <= memory.size(), CL_INVALID_VALUE);
}

/// The two sides of a transfer between a buffer and the host's memory at `pointer`, checked.
struct Transfer {
  Transfer(const Memory& memory, const void* pointer, const std::size_t* region, const std::size_t* buffer_origin,
           std::size_t buffer_row_pitch, std::size_t buffer_slice_pitch, const std::size_t* host_origin,
           std::size_t host_row_pitch, std::size_t host_slice_pitch) {
    require(pointer != nullptr, CL_INVALID_VALUE);
    buffer = make_box(buffer_origin, region, buffer_row_pitch, buffer_slice_pitch);
    host = make_box(host_origin, region, host_row_pitch, host_slice_pitch);
    require_inside(memory, buffer);
  }
  Box buffer, host;
};

}  // namespace

cl_int clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                           size_t offset, size_t size, void* ptr, cl_uint num_events_in_wait_list,
                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.buffer(buffer);
    require(ptr && memory.contains(offset, size), CL_INVALID_VALUE);
    require_host_read(memory);
    Ref<Event> command = call.command(CL_COMMAND_READ_BUFFER);
    runtime::set_copy(command->work(), memory.data() + offset, static_cast<std::byte*>(ptr), size, memory);
    return call.submit(std::move(command), blocking_read);
  });
}

cl_int clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
                            size_t offset, size_t size, const void* ptr, cl_uint num_events_in_wait_list,
                            const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.buffer(buffer);
    require(ptr && memory.contains(offset, size), CL_INVALID_VALUE);
    require_host_write(memory);
    Ref<Event> command = call.command(CL_COMMAND_WRITE_BUFFER);
    runtime::set_copy(command->work(), static_cast<const std::byte*>(ptr), memory.data() + offset, size, memory);
    return call.submit(std::move(command), blocking_write);
  });
}

cl_int clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                           size_t src_offset, size_t dst_offset, size_t size, cl_uint num_events_in_wait_list,
                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_COPY_BUFFER);
    set_copy_buffer(command->work(), call.context(), src_buffer, dst_buffer, src_offset, dst_offset, size);
    return call.submit(std::move(command));
  });
}

cl_int clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                               const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                               size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                               size_t host_slice_pitch, void* ptr, cl_uint num_events_in_wait_list,
                               const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.buffer(buffer);
    const Transfer sides(memory, ptr, region, buffer_origin, buffer_row_pitch, buffer_slice_pitch, host_origin,
                         host_row_pitch, host_slice_pitch);
    require_host_read(memory);
    Ref<Event> command = call.command(CL_COMMAND_READ_BUFFER_RECT);
    runtime::set_copy(command->work(), memory.data(), sides.buffer, static_cast<std::byte*>(ptr), sides.host, region, memory);
    return call.submit(std::move(command), blocking_read);
  });
}

cl_int clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
                                const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                size_t host_slice_pitch, const void* ptr, cl_uint num_events_in_wait_list,
                                const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.buffer(buffer);
    const Transfer sides(memory, ptr, region, buffer_origin, buffer_row_pitch, buffer_slice_pitch, host_origin,
                         host_row_pitch, host_slice_pitch);
    require_host_write(memory);
    Ref<Event> command = call.command(CL_COMMAND_WRITE_BUFFER_RECT);
    runtime::set_copy(command->work(), static_cast<const std::byte*>(ptr), sides.host, memory.data(), sides.buffer, region, memory);
    return call.submit(std::move(command), blocking_write);
  });
}

cl_int clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                               const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                               size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                               size_t dst_slice_pitch, cl_uint num_events_in_wait_list,
                               const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_COPY_BUFFER_RECT);
    set_copy_buffer_rect(command->work(), call.context(), src_buffer, dst_buffer, src_origin, dst_origin, region, src_row_pitch,
                         src_slice_pitch, dst_row_pitch, dst_slice_pitch);
    return call.submit(std::move(command));
  });
}

cl_int clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void* pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint num_events_in_wait_list,
                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_FILL_BUFFER);
    set_fill_buffer(command->work(), call.context(), buffer, pattern, pattern_size, offset, size);
    return call.submit(std::move(command));
  });
}

void* clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
                         cl_map_flags map_flags, size_t offset, size_t size, cl_uint num_events_in_wait_list,
                         const cl_event* event_wait_list, cl_event* event, cl_int* errcode_ret) {
  void* pointer = nullptr;
  const cl_int code = guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.buffer(buffer);
    require(size != 0 && memory.contains(offset, size), CL_INVALID_VALUE);
    check_map_flags(memory, map_flags);
    Ref<Event> command = call.command(CL_COMMAND_MAP_BUFFER);
    command->note_mapping(size, memory.is_pinned());
    void* const mapped = memory.map(offset);
    const cl_int result = call.submit(std::move(command), blocking_map);
    if (result == CL_SUCCESS) {
      pointer = mapped;
    } else {
      memory.unmap(mapped);
    }
    return result;
  });
  if (errcode_ret) *errcode_ret = code;
  return pointer;
}

}  // namespace weft::icd
