// What tests of images share: descriptions in few words, creation, and an image's texels as a vector.
#pragma once

#include <array>

#include "api/fixture.h"

namespace weft::conformance {

using Triple = std::array<std::size_t, 3>;

struct ImageSpec {
  cl_mem_object_type type;
  /// Along the coordinates; layers of arrays are the last.
  Triple size;
  cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  std::size_t texel = 4;  ///< bytes
  cl_uint levels = 0;

  std::size_t texels() const { return size[0] * size[1] * size[2]; }
  std::size_t bytes() const { return texels() * texel; }
  cl_image_desc desc() const {
    cl_image_desc result{};
    result.image_type = type;
    result.image_width = size[0];
    result.num_mip_levels = levels;
    switch (type) {
      case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        result.image_array_size = size[1];
        break;
      case CL_MEM_OBJECT_IMAGE2D:
        result.image_height = size[1];
        break;
      case CL_MEM_OBJECT_IMAGE2D_ARRAY:
        result.image_height = size[1];
        result.image_array_size = size[2];
        break;
      case CL_MEM_OBJECT_IMAGE3D:
        result.image_height = size[1];
        result.image_depth = size[2];
        break;
    }
    return result;
  }
};

inline ImageSpec image_2d(std::size_t width, std::size_t height, cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8},
                          std::size_t texel = 4) {
  return {CL_MEM_OBJECT_IMAGE2D, {width, height, 1}, format, texel};
}

class ImageApiTest : public ApiTest {
 protected:
  void SetUp() override {
    if (!device_value<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "no images";
  }

  Mem create(const cl_image_format& format, const cl_image_desc& desc, cl_mem_flags flags = CL_MEM_READ_WRITE,
             void* host = nullptr) {
    cl_int error = CL_SUCCESS;
    Mem image(clCreateImage(context, flags, &format, &desc, host, &error));
    check(error, "clCreateImage");
    return image;
  }
  Mem create(const ImageSpec& spec, cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr) {
    return create(spec.format, spec.desc(), flags, host);
  }
  /// Why none is made.
  cl_int creation_error(const cl_image_format* format, const cl_image_desc* desc, cl_mem_flags flags = CL_MEM_READ_WRITE,
                        void* host = nullptr) {
    cl_int error = CL_SUCCESS;
    const Mem image(clCreateImage(context, flags, format, desc, host, &error));
    EXPECT_EQ(image.get() != nullptr, error == CL_SUCCESS);
    return error;
  }

  void write(const Mem& image, const Triple& origin, const Triple& region, const void* from, std::size_t row_pitch = 0,
             std::size_t slice_pitch = 0) {
    check(clEnqueueWriteImage(queue, image, CL_TRUE, origin.data(), region.data(), row_pitch, slice_pitch, from, 0, nullptr,
                              nullptr),
          "clEnqueueWriteImage");
  }
  void read(const Mem& image, const Triple& origin, const Triple& region, void* to, std::size_t row_pitch = 0,
            std::size_t slice_pitch = 0) {
    check(clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), row_pitch, slice_pitch, to, 0, nullptr,
                             nullptr),
          "clEnqueueReadImage");
  }
  std::vector<std::uint8_t> texels(const Mem& image, const ImageSpec& spec) {
    std::vector<std::uint8_t> result(spec.bytes());
    read(image, {0, 0, 0}, spec.size, result.data());
    return result;
  }
  template <typename T>
  T image_value(const Mem& image, cl_image_info what) {
    T value{};
    check(clGetImageInfo(image, what, sizeof value, &value, nullptr), "clGetImageInfo");
    return value;
  }
  template <typename T>
  T memory_value(const Mem& image, cl_mem_info what) {
    T value{};
    check(clGetMemObjectInfo(image, what, sizeof value, &value, nullptr), "clGetMemObjectInfo");
    return value;
  }
  std::vector<cl_image_format> formats(cl_mem_flags flags, cl_mem_object_type type) {
    cl_uint count = 0;
    check(clGetSupportedImageFormats(context, flags, type, 0, nullptr, &count), "clGetSupportedImageFormats");
    std::vector<cl_image_format> list(count);
    if (count) {
      check(clGetSupportedImageFormats(context, flags, type, count, list.data(), nullptr), "clGetSupportedImageFormats");
    }
    return list;
  }
  bool has_format(const cl_image_format& wanted, cl_mem_object_type type, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    for (const auto& each : formats(flags, type)) {
      if (each.image_channel_order == wanted.image_channel_order &&
          each.image_channel_data_type == wanted.image_channel_data_type) {
        return true;
      }
    }
    return false;
  }
};

/// Images of every type with an own data store, of sizes that are no round numbers.
inline const ImageSpec kEachType[] = {
    {CL_MEM_OBJECT_IMAGE1D, {37, 1, 1}},      {CL_MEM_OBJECT_IMAGE1D_ARRAY, {19, 5, 1}},
    {CL_MEM_OBJECT_IMAGE2D, {23, 11, 1}},     {CL_MEM_OBJECT_IMAGE2D_ARRAY, {13, 7, 4}},
    {CL_MEM_OBJECT_IMAGE3D, {11, 6, 5}},
};

}  // namespace weft::conformance
