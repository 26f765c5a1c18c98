// Reading, writing, copying, filling and mapping buffers (OpenCL 3.0 API §5.2.2 to §5.2.4).
#include <algorithm>
#include <bit>
#include <cstring>

#include "icd/enqueue.h"

namespace weft::icd {
namespace {

using runtime::CopyWork;
using runtime::FillWork;

using Wide = unsigned __int128;  ///< sums of products of the application's sizes do not wrap

/// Host access that the flags of a buffer exclude (CL_MEM_HOST_*).
void require_host_read(const Memory& memory) {
  require(!(memory.flags() & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)), CL_INVALID_OPERATION);
}
void require_host_write(const Memory& memory) {
  require(!(memory.flags() & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)), CL_INVALID_OPERATION);
}

/// A box of bytes in some memory: where it starts and the distances of its rows and slices.
struct Box {
  Wide start;
  std::size_t row_pitch, slice_pitch;
  Wide end;  ///< past its last byte
};

/// Checks pitches and region as §5.2.2 says of rectangular regions; a pitch of 0 means no gap.
Box make_box(const std::size_t* origin, const std::size_t* region, std::size_t row_pitch,
             std::size_t slice_pitch) {
  require(origin && region, CL_INVALID_VALUE);
  require(region[0] && region[1] && region[2], CL_INVALID_VALUE);
  if (row_pitch == 0) row_pitch = region[0];
  require(row_pitch >= region[0], CL_INVALID_VALUE);
  const Wide least = Wide{region[1]} * row_pitch;
  require(least <= SIZE_MAX, CL_INVALID_VALUE);
  if (slice_pitch == 0) slice_pitch = static_cast<std::size_t>(least);
  require(slice_pitch >= least && slice_pitch % row_pitch == 0, CL_INVALID_VALUE);
  // Three products below 2^128 in sum: bounded one by one before they are added.
  const Wide slices = (Wide{origin[2]} + region[2] - 1), rows = (Wide{origin[1]} + region[1] - 1);
  require(slices <= SIZE_MAX / slice_pitch && rows <= SIZE_MAX / row_pitch, CL_INVALID_VALUE);
  const Wide start = Wide{origin[2]} * slice_pitch + Wide{origin[1]} * row_pitch + origin[0];
  const Wide end = slices * slice_pitch + rows * row_pitch + origin[0] + region[0];
  return {start, row_pitch, slice_pitch, end};
}

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

/// Whether two boxes of equal pitches in one memory share a byte. `a` and `b` are the boxes' starts in the memory.
/// Exact for any pitches, where the algorithm of the specification's appendix on memory copy overlap
/// takes some boxes for overlapping that interleave.
bool overlap(Wide a, Wide b, const std::size_t* region, std::size_t row_pitch, std::size_t slice_pitch) {
  // They do if some difference of positions, i + j * row_pitch + k * slice_pitch, is that of the starts.
  using Distance = __int128;
  const Distance distance = static_cast<Distance>(b) - static_cast<Distance>(a);
  const Distance width = region[0], rows = region[1], slices = region[2], row = row_pitch, slice = slice_pitch;
  const Distance reach = width + rows * row;  // of one slice
  const Distance first = std::max(1 - slices, (distance - reach) / slice - 1);
  const Distance last = std::min(slices - 1, (distance + reach) / slice + 1);
  for (Distance k = first; k <= last; ++k) {
    const Distance rest = distance - k * slice;
    for (Distance j = rest / row - 1; j <= rest / row + 1; ++j) {
      const Distance i = rest - j * row;
      if (j > -rows && j < rows && i > -width && i < width) return true;
    }
  }
  return false;
}

/// A command that moves a linear range; of no work if that is empty.
void fill_copy(Event& command, const std::byte* from, std::byte* to, std::size_t size, Memory& first,
               Memory* second = nullptr) {
  if (size == 0) return;
  auto& work = command.work().emplace<CopyWork>();
  work.from = from;
  work.to = to;
  work.region = {size, 1, 1};
  work.first_memory = Ref<Memory>(&first);
  work.second_memory = Ref<Memory>(second);
  work.plan();
}

/// The same for a box.
void fill_copy(Event& command, const std::byte* from, const Box& from_box, std::byte* to, const Box& to_box,
               const std::size_t* region, Memory& first, Memory* second = nullptr) {
  auto& work = command.work().emplace<CopyWork>();
  work.from = from + static_cast<std::size_t>(from_box.start);
  work.to = to + static_cast<std::size_t>(to_box.start);
  work.region = {region[0], region[1], region[2]};
  work.from_row_pitch = from_box.row_pitch;
  work.from_slice_pitch = from_box.slice_pitch;
  work.to_row_pitch = to_box.row_pitch;
  work.to_slice_pitch = to_box.slice_pitch;
  work.first_memory = Ref<Memory>(&first);
  work.second_memory = Ref<Memory>(second);
  work.plan();
}

}  // namespace

cl_int clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                           size_t offset, size_t size, void* ptr, cl_uint num_events_in_wait_list,
                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.memory(buffer);
    require(ptr && memory.contains(offset, size), CL_INVALID_VALUE);
    require_host_read(memory);
    Ref<Event> command = call.command(CL_COMMAND_READ_BUFFER);
    fill_copy(*command, memory.data() + offset, static_cast<std::byte*>(ptr), size, memory);
    return call.submit(std::move(command), blocking_read);
  });
}

cl_int clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
                            size_t offset, size_t size, const void* ptr, cl_uint num_events_in_wait_list,
                            const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.memory(buffer);
    require(ptr && memory.contains(offset, size), CL_INVALID_VALUE);
    require_host_write(memory);
    Ref<Event> command = call.command(CL_COMMAND_WRITE_BUFFER);
    fill_copy(*command, static_cast<const std::byte*>(ptr), memory.data() + offset, size, memory);
    return call.submit(std::move(command), blocking_write);
  });
}

cl_int clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                           size_t src_offset, size_t dst_offset, size_t size, cl_uint num_events_in_wait_list,
                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& from = call.memory(src_buffer);
    Memory& to = call.memory(dst_buffer);
    require(from.contains(src_offset, size) && to.contains(dst_offset, size), CL_INVALID_VALUE);
    if (from.storage() == to.storage()) {
      const std::size_t a = from.origin() + src_offset, b = to.origin() + dst_offset;
      require(a + size <= b || b + size <= a, CL_MEM_COPY_OVERLAP);
    }
    Ref<Event> command = call.command(CL_COMMAND_COPY_BUFFER);
    fill_copy(*command, from.data() + src_offset, to.data() + dst_offset, size, from, &to);
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
    Memory& memory = call.memory(buffer);
    const Transfer sides(memory, ptr, region, buffer_origin, buffer_row_pitch, buffer_slice_pitch, host_origin,
                         host_row_pitch, host_slice_pitch);
    require_host_read(memory);
    Ref<Event> command = call.command(CL_COMMAND_READ_BUFFER_RECT);
    fill_copy(*command, memory.data(), sides.buffer, static_cast<std::byte*>(ptr), sides.host, region, memory);
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
    Memory& memory = call.memory(buffer);
    const Transfer sides(memory, ptr, region, buffer_origin, buffer_row_pitch, buffer_slice_pitch, host_origin,
                         host_row_pitch, host_slice_pitch);
    require_host_write(memory);
    Ref<Event> command = call.command(CL_COMMAND_WRITE_BUFFER_RECT);
    fill_copy(*command, static_cast<const std::byte*>(ptr), sides.host, memory.data(), sides.buffer, region, memory);
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
    Memory& from = call.memory(src_buffer);
    Memory& to = call.memory(dst_buffer);
    const Box source = make_box(src_origin, region, src_row_pitch, src_slice_pitch);
    const Box target = make_box(dst_origin, region, dst_row_pitch, dst_slice_pitch);
    require_inside(from, source);
    require_inside(to, target);
    const bool same_pitches =
        source.row_pitch == target.row_pitch && source.slice_pitch == target.slice_pitch;
    require(&from != &to || same_pitches, CL_INVALID_VALUE);
    if (from.storage() == to.storage()) {
      const Wide a = from.origin() + source.start, b = to.origin() + target.start;
      const bool meet = same_pitches ? overlap(a, b, region, source.row_pitch, source.slice_pitch)
                                     : a < to.origin() + target.end && b < from.origin() + source.end;
      require(!meet, CL_MEM_COPY_OVERLAP);
    }
    Ref<Event> command = call.command(CL_COMMAND_COPY_BUFFER_RECT);
    fill_copy(*command, from.data(), source, to.data(), target, region, from, &to);
    return call.submit(std::move(command));
  });
}

cl_int clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void* pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint num_events_in_wait_list,
                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.memory(buffer);
    require(memory.contains(offset, size), CL_INVALID_VALUE);
    require(pattern && std::has_single_bit(pattern_size) && pattern_size <= FillWork::kMaxPattern,
            CL_INVALID_VALUE);
    require(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE);
    Ref<Event> command = call.command(CL_COMMAND_FILL_BUFFER);
    if (size != 0) {
      auto& work = command->work().emplace<FillWork>();
      work.to = memory.data() + offset;
      work.size = size;
      work.pattern_size = pattern_size;
      std::memcpy(work.pattern.data(), pattern, pattern_size);
      work.memory = Ref<Memory>(&memory);
    }
    return call.submit(std::move(command));
  });
}

void* clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
                         cl_map_flags map_flags, size_t offset, size_t size, cl_uint num_events_in_wait_list,
                         const cl_event* event_wait_list, cl_event* event, cl_int* errcode_ret) {
  void* pointer = nullptr;
  const cl_int code = guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.memory(buffer);
    require(size != 0 && memory.contains(offset, size), CL_INVALID_VALUE);
    constexpr cl_map_flags kReadWrite = CL_MAP_READ | CL_MAP_WRITE;
    require((map_flags & ~(kReadWrite | CL_MAP_WRITE_INVALIDATE_REGION)) == 0, CL_INVALID_VALUE);
    require(!(map_flags & CL_MAP_WRITE_INVALIDATE_REGION) || !(map_flags & kReadWrite), CL_INVALID_VALUE);
    if (map_flags & CL_MAP_READ) require_host_read(memory);
    if (map_flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) require_host_write(memory);
    Ref<Event> command = call.command(CL_COMMAND_MAP_BUFFER);
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

cl_int clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void* mapped_ptr,
                               cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                               cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Memory& memory = call.memory(memobj);
    Ref<Event> command = call.command(CL_COMMAND_UNMAP_MEM_OBJECT);
    require(memory.unmap(mapped_ptr), CL_INVALID_VALUE);
    return call.submit(std::move(command));
  });
}

}  // namespace weft::icd
