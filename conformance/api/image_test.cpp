// Image objects: formats, sizes, queries, views of other objects (OpenCL 3.0 API §5.3.1, §5.3.2, §5.3.9).
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "api/images.h"

namespace weft::conformance {
namespace {

using Image = ImageApiTest;

TEST_F(Image, LimitsAreThoseOfAFullDevice) {
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_MAX_READ_IMAGE_ARGS), 128u);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_MAX_WRITE_IMAGE_ARGS), 64u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH), 16384u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT), 16384u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE3D_MAX_WIDTH), 2048u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE3D_MAX_HEIGHT), 2048u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE3D_MAX_DEPTH), 2048u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), 2048u);
  EXPECT_GE(device_value<std::size_t>(device, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE), 65536u);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_MAX_SAMPLERS), 16u);
}

TEST_F(Image, RequiredFormats) {
  std::vector<cl_image_format> required = {{CL_BGRA, CL_UNORM_INT8}};
  for (cl_channel_type type : {CL_UNORM_INT8, CL_UNORM_INT16, CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32,
                               CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT}) {
    required.push_back({CL_RGBA, type});
  }
  for (const ImageSpec& spec : kEachType) {
    for (const auto& format : required) {
      EXPECT_TRUE(has_format(format, spec.type)) << spec.type << " " << format.image_channel_data_type;
      EXPECT_TRUE(has_format(format, spec.type, CL_MEM_READ_ONLY));
      EXPECT_TRUE(has_format(format, spec.type, CL_MEM_WRITE_ONLY));
    }
  }
}

// What the list says can be made; texels are a power of two of bytes.
TEST_F(Image, EveryListedFormatMakesAnImage) {
  for (const ImageSpec& spec : kEachType) {
    for (const auto& format : formats(CL_MEM_READ_WRITE, spec.type)) {
      const Mem image = create(format, spec.desc());
      const auto bytes = image_value<std::size_t>(image, CL_IMAGE_ELEMENT_SIZE);
      EXPECT_TRUE(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) << bytes;
      const auto said = image_value<cl_image_format>(image, CL_IMAGE_FORMAT);
      EXPECT_EQ(said.image_channel_order, format.image_channel_order);
      EXPECT_EQ(said.image_channel_data_type, format.image_channel_data_type);
    }
  }
}

TEST_F(Image, DepthFormatsAreListedWithTheirExtension) {
  const bool extension = has_extension("cl_khr_depth_images");
  EXPECT_EQ(has_format({CL_DEPTH, CL_FLOAT}, CL_MEM_OBJECT_IMAGE2D), extension);
  EXPECT_EQ(has_format({CL_DEPTH, CL_UNORM_INT16}, CL_MEM_OBJECT_IMAGE2D_ARRAY), extension);
  EXPECT_FALSE(has_format({CL_DEPTH, CL_FLOAT}, CL_MEM_OBJECT_IMAGE3D));
}

TEST_F(Image, QueriesOfEachType) {
  for (const ImageSpec& spec : kEachType) {
    const Mem image = create(spec);
    const cl_image_desc desc = spec.desc();
    EXPECT_EQ(image_value<std::size_t>(image, CL_IMAGE_WIDTH), desc.image_width);
    EXPECT_EQ(image_value<std::size_t>(image, CL_IMAGE_HEIGHT), desc.image_height);
    EXPECT_EQ(image_value<std::size_t>(image, CL_IMAGE_DEPTH), desc.image_depth);
    EXPECT_EQ(image_value<std::size_t>(image, CL_IMAGE_ARRAY_SIZE), desc.image_array_size);
    EXPECT_EQ(image_value<std::size_t>(image, CL_IMAGE_ELEMENT_SIZE), 4u);
    EXPECT_EQ(image_value<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS), 0u);
    EXPECT_EQ(image_value<cl_uint>(image, CL_IMAGE_NUM_SAMPLES), 0u);
    EXPECT_EQ(memory_value<cl_mem_object_type>(image, CL_MEM_TYPE), spec.type);
    EXPECT_EQ(memory_value<cl_mem_flags>(image, CL_MEM_FLAGS), cl_mem_flags{CL_MEM_READ_WRITE});
    EXPECT_GE(memory_value<std::size_t>(image, CL_MEM_SIZE), spec.bytes());
    EXPECT_EQ(memory_value<cl_mem>(image, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
    EXPECT_EQ(memory_value<std::size_t>(image, CL_MEM_OFFSET), 0u);
    EXPECT_EQ(memory_value<cl_context>(image, CL_MEM_CONTEXT), context);
  }
}

// OpenCL 3.0 API §5.3.9: pitches are those given, or those of memory without gaps.
TEST_F(Image, PitchesAsGivenOrTight) {
  NOT_ON_POCL("answers the pitches of its own layout");
  for (const ImageSpec& spec : kEachType) {
    const bool has_slices = spec.type != CL_MEM_OBJECT_IMAGE1D && spec.type != CL_MEM_OBJECT_IMAGE2D;
    const std::size_t rows = spec.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : spec.size[1];
    const Mem tight = create(spec);
    const std::size_t row = spec.size[0] * spec.texel;
    EXPECT_EQ(image_value<std::size_t>(tight, CL_IMAGE_ROW_PITCH), row);
    EXPECT_EQ(image_value<std::size_t>(tight, CL_IMAGE_SLICE_PITCH), has_slices ? row * rows : 0);
    cl_image_desc desc = spec.desc();
    desc.image_row_pitch = row + 12;
    if (has_slices) desc.image_slice_pitch = desc.image_row_pitch * (rows + 1);
    std::vector<std::uint8_t> host(desc.image_row_pitch * (rows + 1) * 8);
    const Mem wide = create(spec.format, desc, CL_MEM_USE_HOST_PTR, host.data());
    EXPECT_EQ(image_value<std::size_t>(wide, CL_IMAGE_ROW_PITCH), desc.image_row_pitch);
    EXPECT_EQ(image_value<std::size_t>(wide, CL_IMAGE_SLICE_PITCH), desc.image_slice_pitch);
    EXPECT_EQ(memory_value<void*>(wide, CL_MEM_HOST_PTR), host.data());
  }
}

TEST_F(Image, OldCallsMakeThemToo) {
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_int error = CL_SUCCESS;
  const Mem flat(clCreateImage2D(context, CL_MEM_READ_ONLY, &format, 9, 5, 0, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(memory_value<cl_mem_object_type>(flat, CL_MEM_TYPE), cl_mem_object_type{CL_MEM_OBJECT_IMAGE2D});
  EXPECT_EQ(image_value<std::size_t>(flat, CL_IMAGE_HEIGHT), 5u);
  const Mem deep(clCreateImage3D(context, CL_MEM_READ_WRITE, &format, 9, 5, 3, 0, 0, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(image_value<std::size_t>(deep, CL_IMAGE_DEPTH), 3u);
  const Mem listed(clCreateImageWithProperties(context, nullptr, 0, &format, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(Image, OnABuffer) {
  NOT_ON_POCL("makes no 1-D image of a buffer");
  const Mem buffer = session.upload(iota<cl_uint>(64));
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.image_width = 40;
  desc.mem_object = buffer;
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  Mem image = create(format, desc, 0);
  EXPECT_EQ(image_value<cl_mem>(image, CL_IMAGE_BUFFER), buffer.get());
  EXPECT_EQ(memory_value<cl_mem>(image, CL_MEM_ASSOCIATED_MEMOBJECT), buffer.get());
  EXPECT_EQ(memory_value<cl_mem_flags>(image, CL_MEM_FLAGS) & CL_MEM_READ_WRITE, cl_mem_flags{CL_MEM_READ_WRITE});
  cl_uint got[2] = {};
  read(image, {38, 0, 0}, {2, 1, 1}, got);
  EXPECT_EQ(got[0], 38u);
  const cl_uint value = 777;
  write(image, {3, 0, 0}, {1, 1, 1}, &value);
  EXPECT_EQ(session.download<cl_uint>(buffer, 4)[3], 777u);
  desc.image_width = 65;
  EXPECT_EQ(creation_error(&format, &desc, 0), CL_INVALID_IMAGE_SIZE);
}

TEST_F(Image, TwoDimensionsOnABuffer) {
  if (!has_extension("cl_khr_image2d_from_buffer")) GTEST_SKIP() << "no cl_khr_image2d_from_buffer";
  const auto align = device_value<cl_uint>(device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT);
  ASSERT_GT(align, 0u);
  const std::size_t pitch = (20 + align - 1) / align * align;  // texels
  const Mem buffer = session.upload(iota<cl_uint>(pitch * 10));
  cl_image_desc desc = image_2d(17, 10).desc();
  desc.image_row_pitch = pitch * 4;
  desc.mem_object = buffer;
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  const Mem image = create(format, desc);
  std::vector<cl_uint> got(6);
  read(image, {15, 7, 0}, {2, 3, 1}, got.data());
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(got[i], 15 + i % 2 + (7 + i / 2) * pitch);
  EXPECT_EQ(image_value<std::size_t>(image, CL_IMAGE_ROW_PITCH), pitch * 4);
  desc.image_height = 11;
  EXPECT_NE(creation_error(&format, &desc), CL_SUCCESS);
}

// A sub-buffer's image shows the sub-buffer's part.
TEST_F(Image, OnASubBuffer) {
  NOT_ON_POCL("makes no 1-D image of a buffer");
  const Mem buffer = session.upload(iota<cl_uint>(1024));
  const std::size_t align = device_value<cl_uint>(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const cl_buffer_region part{align, 256};
  cl_int error = CL_SUCCESS;
  Mem sub(clCreateSubBuffer(buffer, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.image_width = 64;
  desc.mem_object = sub;
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  Mem image = create(format, desc, 0);
  EXPECT_EQ(memory_value<cl_mem_flags>(image, CL_MEM_FLAGS) & 7, cl_mem_flags{CL_MEM_READ_ONLY});
  sub.reset();  // the image keeps it
  cl_uint got = 0;
  read(image, {5, 0, 0}, {1, 1, 1}, &got);
  EXPECT_EQ(got, align / 4 + 5);
  EXPECT_EQ(creation_error(&format, &desc, CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  image.reset();
  EXPECT_EQ(creation_error(&format, &desc, CL_MEM_WRITE_ONLY), CL_INVALID_IMAGE_DESCRIPTOR);
}

// An sRGB view of a linear image and back (§5.3.1.2, "Compatible Image Channel Orders").
TEST_F(Image, OnAnImage) {
  const cl_image_format linear{CL_RGBA, CL_UNORM_INT8}, curved{CL_sRGBA, CL_UNORM_INT8}, other{CL_BGRA, CL_UNORM_INT8};
  if (!has_format(curved, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY)) GTEST_SKIP() << "no sRGB";
  const ImageSpec spec = image_2d(8, 4, linear);
  auto bytes = iota<std::uint8_t>(spec.bytes());
  Mem image = create(spec, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, bytes.data());
  cl_image_desc desc = spec.desc();
  desc.mem_object = image;
  const Mem view = create(curved, desc, 0);
  EXPECT_EQ(memory_value<cl_mem>(view, CL_MEM_ASSOCIATED_MEMOBJECT), image.get());
  EXPECT_EQ(image_value<cl_mem>(view, CL_IMAGE_BUFFER), nullptr);
  EXPECT_EQ(creation_error(&other, &desc, 0), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  desc.image_width = 7;
  EXPECT_EQ(creation_error(&curved, &desc, 0), CL_INVALID_IMAGE_DESCRIPTOR);
  image.reset();
  EXPECT_EQ(texels(view, spec), bytes);
}

TEST_F(Image, DestructorCallbacksAndReferences) {
  Mem image = create(image_2d(8, 8));
  int calls = 0;
  const auto count = [](cl_mem, void* user) { ++*static_cast<int*>(user); };
  ASSERT_EQ(clSetMemObjectDestructorCallback(image, count, &calls), CL_SUCCESS);
  ASSERT_EQ(clRetainMemObject(image), CL_SUCCESS);
  EXPECT_EQ(memory_value<cl_uint>(image, CL_MEM_REFERENCE_COUNT), 2u);
  ASSERT_EQ(clReleaseMemObject(image), CL_SUCCESS);
  EXPECT_EQ(calls, 0);
  image.reset();
  EXPECT_EQ(calls, 1);
}

TEST_F(Image, SamplersAnswerTheirState) {
  cl_int error = CL_SUCCESS;
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_FILTER_MODE,
                                              CL_FILTER_LINEAR, 0};
  const cl_sampler sampler = clCreateSamplerWithProperties(context, properties, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  cl_addressing_mode addressing = 0;
  EXPECT_EQ(clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof addressing, &addressing, nullptr), CL_SUCCESS);
  EXPECT_EQ(addressing, cl_addressing_mode{CL_ADDRESS_CLAMP});
  cl_filter_mode filter = 0;
  EXPECT_EQ(clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, nullptr), CL_SUCCESS);
  EXPECT_EQ(filter, cl_filter_mode{CL_FILTER_LINEAR});
  clReleaseSampler(sampler);
}

}  // namespace
}  // namespace weft::conformance
