// Buffers, and what all memory objects share (OpenCL 3.0 API §5.2, §5.5).
#include "runtime/memory.h"

#include "icd/entry.h"
#include "icd/memory_flags.h"
#include "icd/memory_properties.h"

namespace weft::icd {
namespace {

using runtime::Context;
using runtime::Device;
using runtime::Memory;
using runtime::Ref;

Memory* create_buffer(cl_context handle, const cl_mem_properties* properties, cl_mem_flags flags,
                      size_t size, void* host_ptr) {
  Context& context = checked(handle, CL_INVALID_CONTEXT);
  MemoryProperties checked = checked_properties(context, properties, /*has_addresses=*/true);
  check_flags(flags, kAccess | kHostAccess | kHostPointer | kImmutable);
  if (checked.descriptor)
    check_imported(flags, host_ptr);
  else
    check_immutable(flags);
  require(size > 0 && size <= Device::max_alloc_size(), CL_INVALID_BUFFER_SIZE);
  check_host_pointer(flags, host_ptr);
  if (flags & CL_MEM_USE_HOST_PTR) {
    const auto shared = context.shared_memory().find(host_ptr);
    require(!shared || shared->contains(host_ptr, size), CL_INVALID_BUFFER_SIZE);
  }
  return publish(runtime::make<Memory>(&context, flags, size, host_ptr, std::move(checked.list), checked.descriptor));
}

}  // namespace

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                      cl_int* errcode_ret) {
  return guarded_create(errcode_ret,
                        [&]() -> cl_mem { return create_buffer(context, nullptr, flags, size, host_ptr); });
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                    cl_mem_flags flags, size_t size, void* host_ptr, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem {
    return create_buffer(context, properties, flags, size, host_ptr);
  });
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type buffer_create_type,
                         const void* buffer_create_info, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem {
    Memory& parent = checked(buffer, CL_INVALID_MEM_OBJECT);
    require(parent.is_buffer() && !parent.is_sub_buffer(), CL_INVALID_MEM_OBJECT);
    check_child_flags(flags, parent.flags());
    require(buffer_create_type == CL_BUFFER_CREATE_TYPE_REGION && buffer_create_info, CL_INVALID_VALUE);
    const cl_buffer_region region = *static_cast<const cl_buffer_region*>(buffer_create_info);
    require(region.size != 0, CL_INVALID_BUFFER_SIZE);
    require(parent.contains(region.origin, region.size), CL_INVALID_VALUE);
    require(region.origin % Device::kBaseAddressAlign == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    return publish(runtime::make<Memory>(&parent, flags, region.origin, region.size));
  });
}

cl_int clRetainMemObject(cl_mem memobj) {
  return guarded([&] { retain(&checked(memobj, CL_INVALID_MEM_OBJECT)); });
}

cl_int clReleaseMemObject(cl_mem memobj) {
  return guarded([&] { release_own(checked(memobj, CL_INVALID_MEM_OBJECT), CL_INVALID_MEM_OBJECT); });
}

cl_int clSetMemObjectDestructorCallback(cl_mem memobj, void(CL_CALLBACK* pfn_notify)(cl_mem, void*),
                                        void* user_data) {
  return guarded([&] {
    Memory& memory = checked(memobj, CL_INVALID_MEM_OBJECT);
    require(pfn_notify != nullptr, CL_INVALID_VALUE);
    memory.on_destroy(pfn_notify, user_data);
  });
}

cl_int clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size, void* param_value,
                          size_t* param_value_size_ret) {
  return guarded([&] {
    checked(memobj, CL_INVALID_MEM_OBJECT)
        .info(param_name, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

}  // namespace weft::icd
