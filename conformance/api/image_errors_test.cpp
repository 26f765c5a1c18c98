// What wrong calls with images get (OpenCL 3.0 API §5.3): the specified code, and nothing changed.
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "api/images.h"

namespace weft::conformance {
namespace {

class ImageErrors : public ImageApiTest {
 protected:
  const cl_image_format rgba{CL_RGBA, CL_UNSIGNED_INT8};
  const Triple zero{};
  std::vector<std::uint8_t> host = std::vector<std::uint8_t>(4096);

  cl_int read_error(const Mem& image, Triple origin, Triple region, std::size_t row = 0, std::size_t slice = 0) {
    return clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), row, slice, host.data(), 0, nullptr,
                              nullptr);
  }
};

TEST_F(ImageErrors, Formats) {
  const cl_image_desc desc = image_2d(4, 4).desc();
  EXPECT_EQ(creation_error(nullptr, &desc), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  const cl_image_format absurd[] = {
      {0, CL_FLOAT}, {CL_RGBA, 0}, {CL_RGBA, 0xffff}, {CL_RGB, CL_FLOAT}, {CL_R, CL_UNORM_SHORT_565}, {CL_BGRA, CL_FLOAT}};
  for (const auto& format : absurd) {
    const cl_int error = creation_error(&format, &desc);
    EXPECT_TRUE(error == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR || (testing_pocl() && error != CL_SUCCESS))
        << format.image_channel_order << " " << format.image_channel_data_type << ": " << error;
  }
  if (testing_pocl()) return;  // has other codes
  const cl_image_format stencil{0x10BE /* CL_DEPTH_STENCIL */, CL_FLOAT};
  EXPECT_EQ(creation_error(&stencil, &desc), CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

TEST_F(ImageErrors, Sizes) {
  NOT_ON_POCL("checks some of them");
  const auto most = [&](cl_device_info what) { return device_value<std::size_t>(device, what); };
  const std::size_t flat = most(CL_DEVICE_IMAGE2D_MAX_WIDTH), deep = most(CL_DEVICE_IMAGE3D_MAX_DEPTH),
                    layers = most(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  const ImageSpec wrong[] = {
      {CL_MEM_OBJECT_IMAGE1D, {0, 1, 1}},        {CL_MEM_OBJECT_IMAGE1D, {flat + 1, 1, 1}},
      {CL_MEM_OBJECT_IMAGE1D_ARRAY, {4, 0, 1}},  {CL_MEM_OBJECT_IMAGE1D_ARRAY, {4, layers + 1, 1}},
      {CL_MEM_OBJECT_IMAGE2D, {4, 0, 1}},        {CL_MEM_OBJECT_IMAGE2D, {4, SIZE_MAX, 1}},
      {CL_MEM_OBJECT_IMAGE2D_ARRAY, {4, 4, 0}},  {CL_MEM_OBJECT_IMAGE2D_ARRAY, {4, 4, layers + 1}},
      {CL_MEM_OBJECT_IMAGE3D, {4, 4, deep + 1}}, {CL_MEM_OBJECT_IMAGE3D, {0, 4, 4}},
  };
  for (const ImageSpec& spec : wrong) {
    const cl_image_desc desc = spec.desc();
    EXPECT_EQ(creation_error(&rgba, &desc), CL_INVALID_IMAGE_SIZE) << spec.type;
  }
  // Within each limit, yet more than there is.
  const cl_image_desc huge = ImageSpec{CL_MEM_OBJECT_IMAGE3D, {deep, deep, deep}}.desc();
  EXPECT_EQ(creation_error(&rgba, &huge), CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

TEST_F(ImageErrors, Descriptors) {
  NOT_ON_POCL("checks some of them");
  EXPECT_EQ(creation_error(&rgba, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc desc = image_2d(4, 4).desc();
  desc.image_type = CL_MEM_OBJECT_BUFFER;
  EXPECT_EQ(creation_error(&rgba, &desc), CL_INVALID_IMAGE_DESCRIPTOR);
  desc = image_2d(4, 4).desc();
  desc.num_samples = 1;
  EXPECT_EQ(creation_error(&rgba, &desc), CL_INVALID_IMAGE_DESCRIPTOR);
  desc = image_2d(4, 4).desc();
  desc.num_mip_levels = 1000;
  EXPECT_EQ(creation_error(&rgba, &desc), CL_INVALID_IMAGE_DESCRIPTOR);
  desc = image_2d(4, 4).desc();
  desc.image_row_pitch = 16;  // without a host pointer
  EXPECT_EQ(creation_error(&rgba, &desc), CL_INVALID_IMAGE_DESCRIPTOR);
  for (std::size_t pitch : {std::size_t{15}, std::size_t{18}, SIZE_MAX - 3}) {
    desc.image_row_pitch = pitch;
    EXPECT_EQ(creation_error(&rgba, &desc, CL_MEM_USE_HOST_PTR, host.data()), CL_INVALID_IMAGE_DESCRIPTOR) << pitch;
  }
  desc = ImageSpec{CL_MEM_OBJECT_IMAGE3D, {4, 4, 4}}.desc();
  for (std::size_t pitch : {std::size_t{48}, std::size_t{65}, SIZE_MAX - 15}) {
    desc.image_slice_pitch = pitch;
    EXPECT_EQ(creation_error(&rgba, &desc, CL_MEM_COPY_HOST_PTR, host.data()), CL_INVALID_IMAGE_DESCRIPTOR) << pitch;
  }
  // The old calls name the size instead.
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateImage2D(context, CL_MEM_USE_HOST_PTR, &rgba, 4, 4, 15, host.data(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(clCreateImage3D(context, CL_MEM_READ_WRITE, &rgba, 4, 4, 1, 0, 0, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_IMAGE_SIZE);
}

TEST_F(ImageErrors, FlagsAndPointers) {
  const cl_image_desc desc = image_2d(4, 4).desc();
  EXPECT_EQ(creation_error(&rgba, &desc, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(&rgba, &desc, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS), CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(&rgba, &desc, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(&rgba, &desc, cl_mem_flags{1} << 40), CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(&rgba, &desc, CL_MEM_USE_HOST_PTR), CL_INVALID_HOST_PTR);
  EXPECT_EQ(creation_error(&rgba, &desc, CL_MEM_READ_WRITE, host.data()), CL_INVALID_HOST_PTR);
  cl_int error = CL_SUCCESS;
  const cl_mem_properties unknown[] = {12345, 1, 0};
  EXPECT_EQ(clCreateImageWithProperties(context, unknown, 0, &rgba, &desc, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
}

TEST_F(ImageErrors, OnOtherObjects) {
  NOT_ON_POCL("makes no 1-D image of a buffer");
  const Mem buffer = session.buffer(256, CL_MEM_READ_ONLY), image = create(image_2d(4, 4));
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.image_width = 16;
  EXPECT_EQ(creation_error(&rgba, &desc, 0), CL_INVALID_IMAGE_DESCRIPTOR);  // no buffer
  desc.mem_object = buffer;
  EXPECT_EQ(creation_error(&rgba, &desc, CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(&rgba, &desc, CL_MEM_ALLOC_HOST_PTR), CL_INVALID_VALUE);
  desc.image_type = CL_MEM_OBJECT_IMAGE1D;
  EXPECT_EQ(creation_error(&rgba, &desc, 0), CL_INVALID_IMAGE_DESCRIPTOR);
  desc.mem_object = image;
  EXPECT_EQ(creation_error(&rgba, &desc, 0), CL_INVALID_IMAGE_DESCRIPTOR);
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  EXPECT_EQ(creation_error(&rgba, &desc, 0), CL_INVALID_IMAGE_DESCRIPTOR);
  // A sub-buffer of an image.
  const cl_buffer_region region{0, 16};
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
}

TEST_F(ImageErrors, RegionsAndPitches) {
  const Mem flat = create(image_2d(8, 8)), deep = create({CL_MEM_OBJECT_IMAGE3D, {4, 4, 4}});
  EXPECT_EQ(read_error(flat, {0, 0, 0}, {9, 1, 1}), CL_INVALID_VALUE);
  EXPECT_EQ(read_error(flat, {8, 0, 0}, {1, 1, 1}), CL_INVALID_VALUE);
  EXPECT_EQ(read_error(flat, {0, 0, 1}, {1, 1, 1}), CL_INVALID_VALUE);
  EXPECT_EQ(read_error(flat, {0, 0, 0}, {1, 1, 2}), CL_INVALID_VALUE);
  EXPECT_EQ(read_error(deep, {0, 0, 4}, {1, 1, 1}), CL_INVALID_VALUE);
  if (!testing_pocl()) {  // it takes any pitch and empty regions
    EXPECT_EQ(read_error(flat, {0, 0, 0}, {1, 0, 1}), CL_INVALID_VALUE);
    EXPECT_EQ(read_error(flat, {0, 0, 0}, {8, 8, 1}, 31), CL_INVALID_VALUE);
    EXPECT_EQ(read_error(deep, {0, 0, 0}, {4, 4, 4}, 16, 63), CL_INVALID_VALUE);
    EXPECT_EQ(read_error(flat, {SIZE_MAX, 0, 0}, {2, 1, 1}), CL_INVALID_VALUE);
    EXPECT_EQ(read_error(deep, {0, 0, 0}, {4, 4, 4}, SIZE_MAX / 2, 0), CL_INVALID_VALUE);
    EXPECT_EQ(read_error(flat, {0, 0, 0}, {8, 8, 1}, 0, 256), CL_INVALID_VALUE);
  }
  const Triple one{1, 1, 1};
  EXPECT_EQ(clEnqueueReadImage(queue, flat, CL_TRUE, nullptr, one.data(), 0, 0, host.data(), 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueWriteImage(queue, flat, CL_TRUE, zero.data(), nullptr, 0, 0, host.data(), 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadImage(queue, flat, CL_TRUE, zero.data(), one.data(), 0, 0, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillImage(queue, flat, nullptr, zero.data(), one.data(), 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(ImageErrors, Copies) {
  const Mem image = create(image_2d(8, 8)), other = create(image_2d(8, 8, {CL_RGBA, CL_SIGNED_INT8}));
  const Mem buffer = session.buffer(64), alien;
  const Triple one{1, 1, 1}, four{4, 4, 1}, three{3, 3, 0}, eight{8, 8, 1};
  EXPECT_EQ(clEnqueueCopyImage(queue, image, other, zero.data(), zero.data(), one.data(), 0, nullptr, nullptr),
            CL_IMAGE_FORMAT_MISMATCH);
  EXPECT_EQ(clEnqueueCopyImage(queue, image, image, zero.data(), three.data(), four.data(), 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  const Triple apart{4, 0, 0};
  EXPECT_EQ(clEnqueueCopyImage(queue, image, image, zero.data(), apart.data(), four.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, image, buffer, zero.data(), eight.data(), 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, image, buffer, zero.data(), four.data(), 4, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, buffer, image, 64, zero.data(), one.data(), 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, buffer, image, 0, eight.data(), one.data(), 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

// A buffer where an image is wanted, and the other way round.
TEST_F(ImageErrors, KindsOfObjects) {
  NOT_ON_POCL("asks some calls alone");
  const Mem image = create(image_2d(8, 8)), buffer = session.buffer(1024);
  const Triple one{1, 1, 1};
  const cl_uint color[4] = {};
  std::size_t pitch = 0, value = 0;
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(read_error(buffer, {0, 0, 0}, one), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillImage(queue, buffer, color, zero.data(), one.data(), 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImage(queue, image, buffer, zero.data(), zero.data(), one.data(), 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueMapImage(queue, buffer, CL_TRUE, CL_MAP_READ, zero.data(), one.data(), &pitch, nullptr, 0, nullptr, nullptr,
                              &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof value, &value, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueReadBuffer(queue, image, CL_TRUE, 0, 4, host.data(), 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, image, 0, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(queue, image, color, 4, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, image, image, zero.data(), one.data(), 0, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueMapBuffer(queue, image, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
}

TEST_F(ImageErrors, HostAccess) {
  NOT_ON_POCL("maps whatever the flags say");
  const Triple one{1, 1, 1};
  std::size_t pitch = 0;
  const struct {
    cl_mem_flags flag;
    cl_int read, write;
  } cases[] = {{CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION},
               {CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS},
               {CL_MEM_HOST_NO_ACCESS, CL_INVALID_OPERATION, CL_INVALID_OPERATION}};
  for (const auto& [flag, reads, writes] : cases) {
    const Mem image = create(image_2d(4, 4), CL_MEM_READ_WRITE | flag);
    EXPECT_EQ(read_error(image, {0, 0, 0}, one), reads);
    EXPECT_EQ(clEnqueueWriteImage(queue, image, CL_TRUE, zero.data(), one.data(), 0, 0, host.data(), 0, nullptr, nullptr),
              writes);
    for (const auto& [map_flags, expected] : {std::pair<cl_map_flags, cl_int>{CL_MAP_READ, reads},
                                              {CL_MAP_WRITE, writes},
                                              {CL_MAP_WRITE_INVALIDATE_REGION, writes}}) {
      cl_int error = CL_SUCCESS;
      void* at = clEnqueueMapImage(queue, image, CL_TRUE, map_flags, zero.data(), one.data(), &pitch, nullptr, 0, nullptr,
                                   nullptr, &error);
      EXPECT_EQ(error, expected);
      if (at) EXPECT_EQ(clEnqueueUnmapMemObject(queue, image, at, 0, nullptr, nullptr), CL_SUCCESS);
    }
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(ImageErrors, Mapping) {
  const Mem array = create({CL_MEM_OBJECT_IMAGE2D_ARRAY, {4, 4, 4}});
  const Triple one{1, 1, 1}, outside{4, 0, 0};
  std::size_t pitch = 0;
  cl_int error = CL_SUCCESS;
  const auto map = [&](const Triple& origin, std::size_t* row, std::size_t* slice, cl_map_flags flags = CL_MAP_READ) {
    return clEnqueueMapImage(queue, array, CL_TRUE, flags, origin.data(), one.data(), row, slice, 0, nullptr, nullptr, &error);
  };
  EXPECT_EQ(map(zero, nullptr, &pitch), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(map(zero, &pitch, nullptr), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(map(outside, &pitch, &pitch), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  if (testing_pocl()) return;  // takes any flags
  EXPECT_EQ(map(zero, &pitch, &pitch, 1 << 20), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  cl_uint count = 1;
  check(clGetMemObjectInfo(array, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr), "clGetMemObjectInfo");
  EXPECT_EQ(count, 0u);
}

TEST_F(ImageErrors, ContextsAndWaitLists) {
  const Session elsewhere(device);
  const Mem image = create(image_2d(4, 4));
  const Triple one{1, 1, 1};
  EXPECT_EQ(clEnqueueReadImage(elsewhere.queue(), image, CL_TRUE, zero.data(), one.data(), 0, 0, host.data(), 0, nullptr,
                               nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueReadImage(queue, image, CL_TRUE, zero.data(), one.data(), 0, 0, host.data(), 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  cl_int error = CL_SUCCESS;
  const Event event(clCreateUserEvent(elsewhere.context(), &error));
  const cl_event waits[] = {event};
  EXPECT_EQ(clEnqueueReadImage(queue, image, CL_FALSE, zero.data(), one.data(), 0, 0, host.data(), 1, waits, nullptr),
            CL_INVALID_CONTEXT);
}

TEST_F(ImageErrors, Queries) {
  const Mem image = create(image_2d(4, 4));
  std::size_t value = 0;
  EXPECT_EQ(clGetImageInfo(image, 0, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetImageInfo(image, CL_IMAGE_WIDTH, 1, &value, nullptr), CL_INVALID_VALUE);
  cl_uint count = 0;
  cl_image_format format;
  EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 0, nullptr, &count),
            CL_INVALID_VALUE);
  EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, &format, &count),
            CL_INVALID_VALUE);
  EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 1, &format, &count), CL_SUCCESS);
  EXPECT_GT(count, 1u);
}

}  // namespace
}  // namespace weft::conformance
