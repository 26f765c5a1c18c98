// Reading, writing, copying, filling and mapping images (OpenCL 3.0 API §5.3.3 to §5.3.8).
#include "icd/enqueue.h"
#include "runtime/image_transfer.h"

namespace weft::icd {
namespace {

using runtime::Box;
using runtime::Image;
using runtime::ImageRegion;
using runtime::make_region;

}  // namespace

cl_int clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read,
                          const size_t* origin, const size_t* region, size_t row_pitch, size_t slice_pitch,
                          void* ptr, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                          cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.image(image);
    require(ptr != nullptr, CL_INVALID_VALUE);
    const ImageRegion from = make_region(*memory.image(), origin, region);
    const Box to = host_box(*memory.image(), from, row_pitch, slice_pitch);
    require_host_read(memory);
    Ref<Event> command = call.command(CL_COMMAND_READ_IMAGE);
    runtime::set_copy(command->work(), memory.data(), from.box(), static_cast<std::byte*>(ptr), to, from.bytes().data(), memory);
    return call.submit(std::move(command), blocking_read);
  });
}

cl_int clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write,
                           const size_t* origin, const size_t* region, size_t input_row_pitch,
                           size_t input_slice_pitch, const void* ptr, cl_uint num_events_in_wait_list,
                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.image(image);
    require(ptr != nullptr, CL_INVALID_VALUE);
    const ImageRegion to = make_region(*memory.image(), origin, region);
    const Box from = host_box(*memory.image(), to, input_row_pitch, input_slice_pitch);
    require_host_write(memory);
    Ref<Event> command = call.command(CL_COMMAND_WRITE_IMAGE);
    runtime::set_copy(command->work(), static_cast<const std::byte*>(ptr), from, memory.data(), to.box(), to.bytes().data(), memory);
    return call.submit(std::move(command), blocking_write);
  });
}

cl_int clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
                          const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                          cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_COPY_IMAGE);
    set_copy_image(command->work(), call.context(), src_image, dst_image, src_origin, dst_origin, region);
    return call.submit(std::move(command));
  });
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer,
                                  const size_t* src_origin, const size_t* region, size_t dst_offset,
                                  cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                  cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_COPY_IMAGE_TO_BUFFER);
    set_copy_image_to_buffer(command->work(), call.context(), src_image, dst_buffer, src_origin, region, dst_offset);
    return call.submit(std::move(command));
  });
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image,
                                  size_t src_offset, const size_t* dst_origin, const size_t* region,
                                  cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                  cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_COPY_BUFFER_TO_IMAGE);
    set_copy_buffer_to_image(command->work(), call.context(), src_buffer, dst_image, src_offset, dst_origin, region);
    return call.submit(std::move(command));
  });
}

cl_int clEnqueueFillImage(cl_command_queue command_queue, cl_mem image, const void* fill_color,
                          const size_t* origin, const size_t* region, cl_uint num_events_in_wait_list,
                          const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_FILL_IMAGE);
    set_fill_image(command->work(), call.context(), image, fill_color, origin, region);
    return call.submit(std::move(command));
  });
}

void* clEnqueueMapImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_map, cl_map_flags map_flags,
                        const size_t* origin, const size_t* region, size_t* image_row_pitch,
                        size_t* image_slice_pitch, cl_uint num_events_in_wait_list,
                        const cl_event* event_wait_list, cl_event* event, cl_int* errcode_ret) {
  void* pointer = nullptr;
  const cl_int code = guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.image(image);
    check_map_flags(memory, map_flags);  // before the pointers: programs ask with null ones whether an image may be mapped so
    const Image& what = *memory.image();
    const bool has_slices = what.shape().is_array() || what.type() == CL_MEM_OBJECT_IMAGE3D;
    require(image_row_pitch && (image_slice_pitch || !has_slices), CL_INVALID_VALUE);
    const ImageRegion part = make_region(what, origin, region);
    Ref<Event> command = call.command(CL_COMMAND_MAP_IMAGE);
    command->note_mapping(part.total_bytes(), memory.is_pinned());
    void* const mapped = memory.map(static_cast<std::size_t>(part.box().start));
    const cl_int result = call.submit(std::move(command), blocking_map);
    if (result == CL_SUCCESS) {
      pointer = mapped;
      *image_row_pitch = part.level->row_pitch;
      if (image_slice_pitch) *image_slice_pitch = has_slices ? part.level->slice_pitch : 0;
    } else {
      memory.unmap(mapped);
    }
    return result;
  });
  if (errcode_ret) *errcode_ret = code;
  return pointer;
}

}  // namespace weft::icd
