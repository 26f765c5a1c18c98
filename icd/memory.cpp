// Memory objects (OpenCL 3.0 API §5.2 to §5.6). Images, pipes and shared virtual memory are not supported.
#include "runtime/memory.h"

#include <bit>

#include "icd/entry.h"

namespace weft::icd {
namespace {

using runtime::Context;
using runtime::Device;
using runtime::Memory;
using runtime::Ref;

constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

bool at_most_one(cl_mem_flags flags) { return std::popcount(flags) <= 1; }

/// Table "List of supported memory flag values", what holds for every memory object.
void check_flags(cl_mem_flags flags, cl_mem_flags allowed) {
  require((flags & ~allowed) == 0, CL_INVALID_VALUE);
  require(at_most_one(flags & kAccess) && at_most_one(flags & kHostAccess), CL_INVALID_VALUE);
  const bool uses_host = (flags & CL_MEM_USE_HOST_PTR) != 0;
  require(!uses_host || !(flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)), CL_INVALID_VALUE);
}

Memory* create_buffer(cl_context handle, std::vector<cl_mem_properties> properties, cl_mem_flags flags,
                      size_t size, void* host_ptr) {
  Context& context = checked(handle, CL_INVALID_CONTEXT);
  check_flags(flags, kAccess | kHostAccess | kHostPointer);
  require(size > 0 && size <= Device::max_alloc_size(), CL_INVALID_BUFFER_SIZE);
  const bool wants_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  require((host_ptr != nullptr) == wants_pointer, CL_INVALID_HOST_PTR);
  return publish(runtime::make<Memory>(&context, flags, size, host_ptr, std::move(properties)));
}

/// clCreateSubBuffer: what the sub-buffer may say given what the buffer said.
void check_sub_buffer_flags(cl_mem_flags own, cl_mem_flags buffer) {
  check_flags(own, kAccess | kHostAccess);
  const auto clash = [&](cl_mem_flags theirs, cl_mem_flags ours) {
    return (buffer & theirs) != 0 && (own & ours) != 0;
  };
  require(!clash(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY), CL_INVALID_VALUE);
  require(!clash(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  require(!clash(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY), CL_INVALID_VALUE);
  require(!clash(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE);
  require(!clash(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE);
}

/// Every way to make an image: there is no device that supports them.
[[noreturn]] void refuse_image(cl_context context) {
  checked(context, CL_INVALID_CONTEXT);
  throw Error{CL_INVALID_OPERATION};
}

}  // namespace

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                      cl_int* errcode_ret) {
  return guarded_create(errcode_ret,
                        [&]() -> cl_mem { return create_buffer(context, {}, flags, size, host_ptr); });
}

cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                    cl_mem_flags flags, size_t size, void* host_ptr, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem {
    // No property is defined but by extensions.
    require(!properties || *properties == 0, CL_INVALID_PROPERTY);
    std::vector<cl_mem_properties> list;
    if (properties) list.push_back(0);
    return create_buffer(context, std::move(list), flags, size, host_ptr);
  });
}

cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type buffer_create_type,
                         const void* buffer_create_info, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem {
    Memory& parent = checked(buffer, CL_INVALID_MEM_OBJECT);
    require(!parent.is_sub_buffer(), CL_INVALID_MEM_OBJECT);
    check_sub_buffer_flags(flags, parent.flags());
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
  return guarded([&] { release(&checked(memobj, CL_INVALID_MEM_OBJECT)); });
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

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
                                  cl_uint num_entries, cl_image_format* image_formats,
                                  cl_uint* num_image_formats) {
  return guarded([&] {
    checked(context, CL_INVALID_CONTEXT);
    check_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}, kAccess | kHostAccess | kHostPointer);
    switch (image_type) {
      case CL_MEM_OBJECT_IMAGE1D:
      case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      case CL_MEM_OBJECT_IMAGE2D:
      case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      case CL_MEM_OBJECT_IMAGE3D:
        break;
      default:
        throw Error{CL_INVALID_VALUE};
    }
    require(num_entries != 0 || !image_formats, CL_INVALID_VALUE);
    if (num_image_formats) *num_image_formats = 0;
  });
}

cl_mem clCreateImage(cl_context context, cl_mem_flags, const cl_image_format*, const cl_image_desc*, void*,
                     cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem { refuse_image(context); });
}

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties*, cl_mem_flags,
                                   const cl_image_format*, const cl_image_desc*, void*, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem { refuse_image(context); });
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t, size_t,
                       void*, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem { refuse_image(context); });
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t, size_t,
                       size_t, size_t, void*, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem { refuse_image(context); });
}

cl_int clGetImageInfo(cl_mem, cl_image_info, size_t, void*, size_t*) { return CL_INVALID_MEM_OBJECT; }

cl_mem clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint, const cl_pipe_properties*,
                    cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem {
    checked(context, CL_INVALID_CONTEXT);
    throw Error{CL_INVALID_OPERATION};
  });
}

cl_int clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void*, size_t*) { return CL_INVALID_MEM_OBJECT; }

void* clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint) { return nullptr; }

void clSVMFree(cl_context, void*) {}

}  // namespace weft::icd
