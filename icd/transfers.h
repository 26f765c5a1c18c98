// Commands that move what the device has, enqueued at once or recorded in a command buffer: their arguments, checked, and the
// work that is to be done. All throw Error; the work is not set then.
#pragma once

#include <cstddef>

#include "runtime/command.h"
#include "runtime/context.h"

namespace weft::icd {

/// A memory object of the context: CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT. A buffer, or an image, alone.
runtime::Memory& checked_memory(const runtime::Context& context, cl_mem handle);
runtime::Memory& checked_buffer(const runtime::Context& context, cl_mem handle);
runtime::Memory& checked_image(const runtime::Context& context, cl_mem handle);

/// The same of one that a command writes to: CL_INVALID_OPERATION if it is immutable.
runtime::Memory& written_buffer(const runtime::Context& context, cl_mem handle);
runtime::Memory& written_image(const runtime::Context& context, cl_mem handle);

void set_copy_buffer(runtime::Work& work, const runtime::Context& context, cl_mem from, cl_mem to, std::size_t from_offset,
                     std::size_t to_offset, std::size_t size);
void set_copy_buffer_rect(runtime::Work& work, const runtime::Context& context, cl_mem from, cl_mem to,
                          const std::size_t* from_origin, const std::size_t* to_origin, const std::size_t* region,
                          std::size_t from_row_pitch, std::size_t from_slice_pitch, std::size_t to_row_pitch,
                          std::size_t to_slice_pitch);
void set_fill_buffer(runtime::Work& work, const runtime::Context& context, cl_mem buffer, const void* pattern,
                     std::size_t pattern_size, std::size_t offset, std::size_t size);
void set_copy_image(runtime::Work& work, const runtime::Context& context, cl_mem from, cl_mem to,
                    const std::size_t* from_origin, const std::size_t* to_origin, const std::size_t* region);
void set_copy_image_to_buffer(runtime::Work& work, const runtime::Context& context, cl_mem from, cl_mem to,
                              const std::size_t* from_origin, const std::size_t* region, std::size_t to_offset);
void set_copy_buffer_to_image(runtime::Work& work, const runtime::Context& context, cl_mem from, cl_mem to,
                              std::size_t from_offset, const std::size_t* to_origin, const std::size_t* region);
void set_fill_image(runtime::Work& work, const runtime::Context& context, cl_mem image, const void* color,
                    const std::size_t* origin, const std::size_t* region);
void set_svm_copy(runtime::Work& work, void* to, const void* from, std::size_t size);
void set_svm_fill(runtime::Work& work, void* to, const void* pattern, std::size_t pattern_size, std::size_t size);

}  // namespace weft::icd
