#include "icd/transfers.h"

#include "icd/entry.h"
#include "runtime/image_transfer.h"
#include "runtime/memory.h"
#include "runtime/transfer.h"

namespace weft::icd {

using runtime::Box;
using runtime::Context;
using runtime::Image;
using runtime::ImageRegion;
using runtime::make_box;
using runtime::make_region;
using runtime::Memory;
using runtime::Wide;
using runtime::Work;

Memory& checked_memory(const Context& context, cl_mem handle) {
  Memory& memory = checked(handle, CL_INVALID_MEM_OBJECT);
  require(&memory.context() == &context, CL_INVALID_CONTEXT);
  return memory;
}

Memory& checked_buffer(const Context& context, cl_mem handle) {
  require(checked(handle, CL_INVALID_MEM_OBJECT).is_buffer(), CL_INVALID_MEM_OBJECT);
  return checked_memory(context, handle);
}

Memory& checked_image(const Context& context, cl_mem handle) {
  require(checked(handle, CL_INVALID_MEM_OBJECT).image() != nullptr, CL_INVALID_MEM_OBJECT);
  return checked_memory(context, handle);
}

Memory& written_buffer(const Context& context, cl_mem handle) {
  Memory& memory = checked_buffer(context, handle);
  require(!memory.is_immutable(), CL_INVALID_OPERATION);
  return memory;
}

Memory& written_image(const Context& context, cl_mem handle) {
  Memory& memory = checked_image(context, handle);
  require(!memory.is_immutable(), CL_INVALID_OPERATION);
  return memory;
}

void set_copy_buffer(Work& work, const Context& context, cl_mem src_buffer, cl_mem dst_buffer, std::size_t src_offset,
                     std::size_t dst_offset, std::size_t size) {
  Memory& from = checked_buffer(context, src_buffer);
  Memory& to = written_buffer(context, dst_buffer);
  require(from.contains(src_offset, size) && to.contains(dst_offset, size), CL_INVALID_VALUE);
  if (from.storage() == to.storage()) {
    const std::size_t a = from.origin() + src_offset, b = to.origin() + dst_offset;
    require(a + size <= b || b + size <= a, CL_MEM_COPY_OVERLAP);
  }
  runtime::set_copy(work, from.data() + src_offset, to.data() + dst_offset, size, from, &to);
}

void set_copy_buffer_rect(Work& work, const Context& context, cl_mem src_buffer, cl_mem dst_buffer,
                          const std::size_t* src_origin, const std::size_t* dst_origin, const std::size_t* region,
                          std::size_t src_row_pitch, std::size_t src_slice_pitch, std::size_t dst_row_pitch,
                          std::size_t dst_slice_pitch) {
  Memory& from = checked_buffer(context, src_buffer);
  Memory& to = written_buffer(context, dst_buffer);
  const Box source = make_box(src_origin, region, src_row_pitch, src_slice_pitch);
  const Box target = make_box(dst_origin, region, dst_row_pitch, dst_slice_pitch);
  require(source.end <= from.size() && target.end <= to.size(), CL_INVALID_VALUE);
  const bool same_pitches = source.row_pitch == target.row_pitch && source.slice_pitch == target.slice_pitch;
  require(&from != &to || same_pitches, CL_INVALID_VALUE);
  if (from.storage() == to.storage()) {
    const Wide a = from.origin() + source.start, b = to.origin() + target.start;
    const bool meet = same_pitches ? runtime::overlap(a, b, region, source.row_pitch, source.slice_pitch)
                                   : a < to.origin() + target.end && b < from.origin() + source.end;
    require(!meet, CL_MEM_COPY_OVERLAP);
  }
  runtime::set_copy(work, from.data(), source, to.data(), target, region, from, &to);
}

void set_fill_buffer(Work& work, const Context& context, cl_mem buffer, const void* pattern, std::size_t pattern_size,
                     std::size_t offset, std::size_t size) {
  Memory& memory = written_buffer(context, buffer);
  require(memory.contains(offset, size), CL_INVALID_VALUE);
  require(pattern && runtime::is_pattern_size(pattern_size), CL_INVALID_VALUE);
  require(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE);
  runtime::set_fill(work, memory, offset, size, pattern, pattern_size);
}

void set_copy_image(Work& work, const Context& context, cl_mem src_image, cl_mem dst_image, const std::size_t* src_origin,
                    const std::size_t* dst_origin, const std::size_t* region) {
  Memory& source = checked_image(context, src_image);
  Memory& target = written_image(context, dst_image);
  const Image &from_image = *source.image(), &to_image = *target.image();
  require(&from_image.format() == &to_image.format(), CL_IMAGE_FORMAT_MISMATCH);
  const ImageRegion from = make_region(from_image, src_origin, region);
  const ImageRegion to = make_region(to_image, dst_origin, region);
  require(&source != &target || !overlap(from, to), CL_MEM_COPY_OVERLAP);
  runtime::set_copy(work, source.data(), from.box(), target.data(), to.box(), from.bytes().data(), source, &target);
}

void set_copy_image_to_buffer(Work& work, const Context& context, cl_mem src_image, cl_mem dst_buffer,
                              const std::size_t* src_origin, const std::size_t* region, std::size_t dst_offset) {
  Memory& image = checked_image(context, src_image);
  Memory& buffer = written_buffer(context, dst_buffer);
  require(image.image()->type() != CL_MEM_OBJECT_IMAGE1D_BUFFER || image.parent() != &buffer, CL_INVALID_MEM_OBJECT);
  const ImageRegion from = make_region(*image.image(), src_origin, region);
  require(buffer.contains(dst_offset, from.total_bytes()), CL_INVALID_VALUE);
  runtime::set_copy(work, image.data(), from.box(), buffer.data(), packed_box(from, dst_offset), from.bytes().data(), image,
                    &buffer);
}

void set_copy_buffer_to_image(Work& work, const Context& context, cl_mem src_buffer, cl_mem dst_image,
                              std::size_t src_offset, const std::size_t* dst_origin, const std::size_t* region) {
  Memory& buffer = checked_buffer(context, src_buffer);
  Memory& image = written_image(context, dst_image);
  require(image.image()->type() != CL_MEM_OBJECT_IMAGE1D_BUFFER || image.parent() != &buffer, CL_INVALID_MEM_OBJECT);
  const ImageRegion to = make_region(*image.image(), dst_origin, region);
  require(buffer.contains(src_offset, to.total_bytes()), CL_INVALID_VALUE);
  runtime::set_copy(work, buffer.data(), packed_box(to, src_offset), image.data(), to.box(), to.bytes().data(), buffer,
                    &image);
}

void set_fill_image(Work& work, const Context& context, cl_mem image, const void* color, const std::size_t* origin,
                    const std::size_t* region) {
  Memory& memory = written_image(context, image);
  require(color != nullptr, CL_INVALID_VALUE);
  const ImageRegion to = make_region(*memory.image(), origin, region);
  const auto texel = runtime::make_texel(memory.image()->format(), color);
  runtime::set_fill(work, memory, to, texel.data());
}

void set_svm_copy(Work& work, void* to, const void* from, std::size_t size) {
  require(to && from, CL_INVALID_VALUE);
  const auto x = reinterpret_cast<std::uintptr_t>(to), y = reinterpret_cast<std::uintptr_t>(from);
  require(size == 0 || (x - y >= size && y - x >= size), CL_MEM_COPY_OVERLAP);
  runtime::set_copy(work, from, to, size);
}

void set_svm_fill(Work& work, void* to, const void* pattern, std::size_t pattern_size, std::size_t size) {
  require(to && pattern && runtime::is_pattern_size(pattern_size), CL_INVALID_VALUE);
  require(reinterpret_cast<std::uintptr_t>(to) % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE);
  runtime::set_fill(work, to, size, pattern, pattern_size);
}

}  // namespace weft::icd
