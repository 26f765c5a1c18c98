// Checks of cl_mem_flags that buffers and images share (OpenCL 3.0 API §5.2.1, table "List of supported memory flag values").
#pragma once

#include "runtime/memory.h"

namespace weft::icd {

inline constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
inline constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
inline constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

inline constexpr cl_mem_flags kImmutable = runtime::Memory::kImmutable;

/// What holds for every memory object: none but `allowed`, none that exclude each other. Throws Error{CL_INVALID_VALUE}.
void check_flags(cl_mem_flags flags, cl_mem_flags allowed);

/// Of an object that takes its contents from nothing but the flags and host pointer of its call. Throws the same.
void check_immutable(cl_mem_flags flags);

/// What an object made on another may say given what that one said (clCreateSubBuffer, clCreateImage). Throws the same.
void check_child_flags(cl_mem_flags own, cl_mem_flags parent);

/// A host pointer is given if, and only if, the flags say so. Throws Error{CL_INVALID_HOST_PTR}.
void check_host_pointer(cl_mem_flags flags, const void* host_ptr);

}  // namespace weft::icd
