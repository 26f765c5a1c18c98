// Images: creation, formats, queries (OpenCL 3.0 API §5.3.1, §5.3.2, §5.3.9).
#include "runtime/image.h"

#include <bit>

#include "icd/entry.h"
#include "icd/memory_flags.h"
#include "icd/memory_properties.h"
#include "runtime/memory.h"

namespace weft::icd {
namespace {

using runtime::Context;
using runtime::Device;
using runtime::ImageFormat;
using runtime::ImageShape;
using runtime::Memory;

bool is_image_type(cl_mem_object_type type) {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    case CL_MEM_OBJECT_IMAGE3D:
      return true;
    default:
      return false;
  }
}

const ImageFormat& checked_format(const cl_image_format* format, cl_mem_object_type type) {
  require(format && runtime::is_valid(*format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  const ImageFormat* const found = runtime::find_image_format(*format);
  require(found && runtime::supports(type, *found), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  return *found;
}

/// Those of the largest image. Smaller ones may have as many, the last of one texel: the specification names no limit, and
/// the conformance suite makes images of one texel with two levels.
constexpr cl_uint kMostLevels = std::bit_width(Device::kMaxImage2DSize);

/// The sizes, without pitches.
ImageShape checked_shape(const cl_image_desc& desc, const ImageFormat& format) {
  ImageShape shape{desc.image_type, &format};
  const auto size = [](std::size_t value, std::size_t most) {
    require(value >= 1 && value <= most, CL_INVALID_IMAGE_SIZE);
    return static_cast<std::uint32_t>(value);
  };
  switch (desc.image_type) {
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      shape.width = size(desc.image_width, Device::kMaxImageBufferSize);
      break;
    case CL_MEM_OBJECT_IMAGE3D:
      shape.width = size(desc.image_width, Device::kMaxImage3DSize);
      shape.height = size(desc.image_height, Device::kMaxImage3DSize);
      shape.depth = size(desc.image_depth, Device::kMaxImage3DSize);
      break;
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      shape.height = size(desc.image_height, Device::kMaxImage2DSize);
      [[fallthrough]];
    default:
      shape.width = size(desc.image_width, Device::kMaxImage2DSize);
      break;
  }
  if (shape.is_array()) shape.layers = size(desc.image_array_size, Device::kMaxImageArraySize);
  require(desc.num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR);
  if (desc.num_mip_levels != 0) {
    // OpenCL 3.0 API §5.3.1, "Mipmap Images"
    require(Device::has_extension("cl_khr_mipmap_image"), CL_INVALID_IMAGE_DESCRIPTOR);
    require(desc.num_mip_levels <= kMostLevels, CL_INVALID_IMAGE_DESCRIPTOR);
    // Depth images may have them too: the specification excludes them and names no error, the conformance suite makes them.
    require(desc.num_mip_levels == 1 || desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR);
  }
  shape.num_mip_levels = desc.num_mip_levels;
  return shape;
}

/// Pitches of memory that the application laid out; those of dimensions that the type has not do not count. Bounded so that
/// no sum of products wraps later.
void take_pitches(ImageShape& shape, const cl_image_desc& desc, cl_int error) {
  const std::size_t row = desc.image_row_pitch, slice = desc.image_slice_pitch;
  constexpr std::size_t kMost = std::size_t{1} << 46;  // 128 TiB of addresses, and a bit less
  require(row < kMost && slice < kMost, error);
  require(row == 0 || (row >= shape.row_bytes() && row % shape.format->texel_bytes == 0), error);
  shape.row_pitch = row;
  if (shape.is_array() || shape.type == CL_MEM_OBJECT_IMAGE3D) {
    const std::size_t row_pitch = shape.tight_row_pitch();
    require(slice == 0 || (slice % row_pitch == 0 && slice / row_pitch >= shape.height), error);
    shape.slice_pitch = slice;
  }
}

struct Creation {
  cl_context context;
  const cl_mem_properties* properties;
  cl_mem_flags flags;
  const cl_image_format* format;
  const cl_image_desc* desc;
  void* host_ptr;
  cl_int pitch_error;  ///< of pitches that do not fit
};

/// On a buffer: of one dimension, or of two with pitches that the device takes (§5.3.1.2).
Memory* create_on_buffer(const Creation& call, Memory& buffer, ImageShape shape, std::vector<cl_mem_properties> properties) {
  if (call.desc->image_type == CL_MEM_OBJECT_IMAGE2D) {
    require(Device::has_extension("cl_khr_image2d_from_buffer"), CL_INVALID_IMAGE_DESCRIPTOR);
    take_pitches(shape, *call.desc, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    const std::size_t pitch_align = std::size_t{Device::kImagePitchAlign} * shape.format->texel_bytes;
    const std::size_t base_align = std::size_t{Device::kImageBaseAlign} * shape.format->texel_bytes;
    require(shape.tight_row_pitch() % pitch_align == 0, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    require(reinterpret_cast<std::uintptr_t>(buffer.data()) % base_align == 0, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    require(shape.num_mip_levels <= 1, CL_INVALID_IMAGE_DESCRIPTOR);
    require(shape.tight_row_pitch() * shape.height <= buffer.size(), CL_INVALID_IMAGE_SIZE);
  } else {
    require(call.desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR);
    require(shape.row_bytes() <= buffer.size(), CL_INVALID_IMAGE_SIZE);
  }
  return publish(runtime::make<Memory>(&buffer, call.flags, shape, std::move(properties)));
}

/// On another 2-D image: the same but for the order of its channels (§5.3.1.2).
Memory* create_on_image(const Creation& call, Memory& memory, ImageShape shape, std::vector<cl_mem_properties> properties) {
  require(call.desc->image_type == CL_MEM_OBJECT_IMAGE2D, CL_INVALID_IMAGE_DESCRIPTOR);
  const ImageShape& other = memory.image()->shape();
  require(other.type == CL_MEM_OBJECT_IMAGE2D && shape.width == other.width && shape.height == other.height &&
              shape.num_mip_levels == other.num_mip_levels,
          CL_INVALID_IMAGE_DESCRIPTOR);
  const std::size_t row_pitch = call.desc->image_row_pitch;
  require(row_pitch == 0 || row_pitch == other.tight_row_pitch(), CL_INVALID_IMAGE_DESCRIPTOR);
  require(shape.format->type == other.format->type &&
              runtime::are_compatible(shape.format->order->order, other.format->order->order),
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  shape.row_pitch = other.row_pitch;
  return publish(runtime::make<Memory>(&memory, call.flags, shape, std::move(properties)));
}

Memory* create(const Creation& call) {
  Context& context = checked(call.context, CL_INVALID_CONTEXT);
  MemoryProperties properties = checked_properties(context, call.properties, /*has_addresses=*/false);
  check_flags(call.flags, kAccess | kHostAccess | kHostPointer | kImmutable);
  require(call.format != nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  require(call.desc && is_image_type(call.desc->image_type), CL_INVALID_IMAGE_DESCRIPTOR);
  ImageShape shape = checked_shape(*call.desc, checked_format(call.format, call.desc->image_type));
  if (call.desc->mem_object) {
    Memory& parent = checked(call.desc->mem_object, CL_INVALID_IMAGE_DESCRIPTOR);
    require(&parent.context() == &context && !parent.pipe(), CL_INVALID_IMAGE_DESCRIPTOR);
    check_child_flags(call.flags, parent.flags());
    require((call.flags & kImmutable) || !parent.is_immutable(), CL_INVALID_VALUE);
    require(call.host_ptr == nullptr, CL_INVALID_HOST_PTR);
    require(!properties.descriptor, CL_INVALID_PROPERTY);  // it has the parent's memory
    return parent.is_buffer() ? create_on_buffer(call, parent, shape, std::move(properties.list))
                              : create_on_image(call, parent, shape, std::move(properties.list));
  }
  require(call.desc->image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR);
  if (properties.descriptor)
    check_imported(call.flags, call.host_ptr);
  else
    check_immutable(call.flags);
  check_host_pointer(call.flags, call.host_ptr);
  if (call.host_ptr || properties.descriptor) {  // rows lie there as pitches say
    require(shape.num_mip_levels <= 1, CL_INVALID_IMAGE_DESCRIPTOR);
    take_pitches(shape, *call.desc, call.pitch_error);
  } else {
    require(call.desc->image_row_pitch == 0 && call.desc->image_slice_pitch == 0, call.pitch_error);
  }
  const std::size_t texels = std::size_t{shape.width} * shape.height * shape.depth * shape.layers;
  require(texels * shape.format->texel_bytes <= Device::max_alloc_size(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  return publish(runtime::make<Memory>(&context, call.flags, shape, call.host_ptr, std::move(properties.list), properties.descriptor));
}

/// What kernels may do with images of a format, for the flags of clGetSupportedImageFormats (§5.3.2.2).
bool allows(const ImageFormat& format, cl_mem_flags flags) {
  if (flags & CL_MEM_KERNEL_READ_AND_WRITE) {
    return Device::has_feature("__opencl_c_read_write_images") && !format.order->is_srgb;
  }
  const bool writes = (flags & CL_MEM_WRITE_ONLY) || !(flags & CL_MEM_READ_ONLY);
  return !writes || !format.order->is_srgb || Device::has_extension("cl_khr_srgb_image_writes");
}

}  // namespace

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* image_format,
                     const cl_image_desc* image_desc, void* host_ptr, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem {
    return create({context, nullptr, flags, image_format, image_desc, host_ptr, CL_INVALID_IMAGE_DESCRIPTOR});
  });
}

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                                   const cl_image_format* image_format, const cl_image_desc* image_desc,
                                   void* host_ptr, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem {
    return create({context, properties, flags, image_format, image_desc, host_ptr, CL_INVALID_IMAGE_DESCRIPTOR});
  });
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format* image_format,
                       size_t image_width, size_t image_height, size_t image_row_pitch, void* host_ptr,
                       cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = image_width;
    desc.image_height = image_height;
    desc.image_row_pitch = image_row_pitch;
    return create({context, nullptr, flags, image_format, &desc, host_ptr, CL_INVALID_IMAGE_SIZE});
  });
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format* image_format,
                       size_t image_width, size_t image_height, size_t image_depth, size_t image_row_pitch,
                       size_t image_slice_pitch, void* host_ptr, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> cl_mem {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_width = image_width;
    desc.image_height = image_height;
    // More than 1 here, where clCreateImage takes 1 too.
    desc.image_depth = image_depth > 1 ? image_depth : 0;
    desc.image_row_pitch = image_row_pitch;
    desc.image_slice_pitch = image_slice_pitch;
    return create({context, nullptr, flags, image_format, &desc, host_ptr, CL_INVALID_IMAGE_SIZE});
  });
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
                                  cl_uint num_entries, cl_image_format* image_formats,
                                  cl_uint* num_image_formats) {
  return guarded([&] {
    checked(context, CL_INVALID_CONTEXT);
    check_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}, kAccess | kHostAccess | kHostPointer | kImmutable);
    require(is_image_type(image_type), CL_INVALID_VALUE);
    require(num_entries != 0 || !image_formats, CL_INVALID_VALUE);
    cl_uint count = 0;
    for (const ImageFormat& format : runtime::image_formats()) {
      if (!runtime::supports(image_type, format) || !allows(format, flags)) continue;
      if (image_formats && count < num_entries) image_formats[count] = format.api();
      ++count;
    }
    if (num_image_formats) *num_image_formats = count;
  });
}

cl_int clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size, void* param_value,
                      size_t* param_value_size_ret) {
  return guarded([&] {
    const Memory& memory = checked(image, CL_INVALID_MEM_OBJECT);
    require(memory.image() != nullptr, CL_INVALID_MEM_OBJECT);
    memory.image_info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

}  // namespace weft::icd
