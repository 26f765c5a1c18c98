// Transfers of images against a model in the host's memory (OpenCL 3.0 API §5.3.3 to §5.3.8).
#include <cstring>
#include <random>

#include "api/images.h"

namespace weft::conformance {
namespace {

/// An image's bytes without gaps, and what the transfers do to them.
class Model {
 public:
  explicit Model(const ImageSpec& spec) : spec_(spec), bytes_(spec.bytes()) {
    std::mt19937 random(static_cast<unsigned>(spec.bytes()));
    for (auto& byte : bytes_) byte = static_cast<std::uint8_t>(random());
  }
  std::uint8_t* row(const Triple& origin, std::size_t y, std::size_t z) {
    const std::size_t index = ((origin[2] + z) * spec_.size[1] + origin[1] + y) * spec_.size[0] + origin[0];
    return bytes_.data() + index * spec_.texel;
  }
  std::vector<std::uint8_t>& bytes() { return bytes_; }

 private:
  ImageSpec spec_;
  std::vector<std::uint8_t> bytes_;
};

class ImageTransfer : public ImageApiTest {
 protected:
  std::mt19937 random{7};

  std::size_t below(std::size_t n) { return random() % n; }
  /// A region of at most `most` somewhere in an image.
  Triple region_of(const Triple& most) { return {1 + below(most[0]), 1 + below(most[1]), 1 + below(most[2])}; }
  Triple origin_for(const Triple& size, const Triple& region) {
    return {below(size[0] - region[0] + 1), below(size[1] - region[1] + 1), below(size[2] - region[2] + 1)};
  }
  Mem upload(const ImageSpec& spec, Model& model) {
    return create(spec, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, model.bytes().data());
  }
  bool skips(const ImageSpec& spec) const { return testing_pocl() && spec.type == CL_MEM_OBJECT_IMAGE1D_ARRAY; }
};

TEST_F(ImageTransfer, ReadsAndWritesOfRandomRegions) {
  for (const ImageSpec& spec : kEachType) {
    if (skips(spec)) continue;
    Model model(spec);
    const Mem image = upload(spec, model);
    for (int i = 0; i < 30; ++i) {
      const Triple region = region_of(spec.size), origin = origin_for(spec.size, region);
      const bool layers_are_rows = spec.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
      const bool has_slices = layers_are_rows || spec.type == CL_MEM_OBJECT_IMAGE2D_ARRAY || spec.type == CL_MEM_OBJECT_IMAGE3D;
      const bool packed = below(2) == 0;
      const std::size_t row = region[0] * spec.texel, row_pitch = packed ? row : row + 4 * below(5);
      std::size_t slice_pitch = row_pitch * (layers_are_rows ? 1 : region[1] + (packed ? 0 : below(3)));
      const std::size_t rows_apart = layers_are_rows ? slice_pitch : row_pitch;
      std::vector<std::uint8_t> host(slice_pitch * region[1] * region[2] + row_pitch);
      const std::size_t row_given = packed ? 0 : row_pitch, slice_given = packed || !has_slices ? 0 : slice_pitch;
      if (below(2)) {
        for (auto& byte : host) byte = static_cast<std::uint8_t>(random());
        write(image, origin, region, host.data(), row_given, slice_given);
        for (std::size_t z = 0; z < region[2]; ++z) {
          for (std::size_t y = 0; y < region[1]; ++y) {
            std::memcpy(model.row(origin, y, z), host.data() + z * slice_pitch + y * rows_apart, row);
          }
        }
      } else {
        read(image, origin, region, host.data(), row_given, slice_given);
        for (std::size_t z = 0; z < region[2]; ++z) {
          for (std::size_t y = 0; y < region[1]; ++y) {
            ASSERT_EQ(std::memcmp(model.row(origin, y, z), host.data() + z * slice_pitch + y * rows_apart, row), 0);
          }
        }
      }
    }
    EXPECT_EQ(texels(image, spec), model.bytes()) << spec.type;
  }
}

TEST_F(ImageTransfer, CopiesBetweenEveryTwoTypes) {
  for (const ImageSpec& from : kEachType) {
    for (const ImageSpec& to : kEachType) {
      if (skips(from) || skips(to)) continue;
      Model source(from), target(to);
      const Mem a = upload(from, source), b = upload(to, target);
      for (int i = 0; i < 5; ++i) {
        Triple most;
        for (int d = 0; d < 3; ++d) most[d] = std::min(from.size[d], to.size[d]);
        const Triple region = region_of(most), at = origin_for(from.size, region), where = origin_for(to.size, region);
        check(clEnqueueCopyImage(queue, a, b, at.data(), where.data(), region.data(), 0, nullptr, nullptr), "copy");
        for (std::size_t z = 0; z < region[2]; ++z) {
          for (std::size_t y = 0; y < region[1]; ++y) {
            std::memcpy(target.row(where, y, z), source.row(at, y, z), region[0] * from.texel);
          }
        }
      }
      EXPECT_EQ(texels(b, to), target.bytes()) << from.type << " to " << to.type;
    }
  }
}

TEST_F(ImageTransfer, ToAndFromBuffers) {
  for (const ImageSpec& spec : kEachType) {
    if (skips(spec)) continue;
    Model model(spec);
    const Mem image = upload(spec, model);
    for (int i = 0; i < 10; ++i) {
      const Triple region = region_of(spec.size), origin = origin_for(spec.size, region);
      const std::size_t row = region[0] * spec.texel, bytes = row * region[1] * region[2], offset = 4 * below(9);
      auto content = iota<std::uint8_t>(offset + bytes + 8);
      const Mem buffer = session.upload(content);
      check(clEnqueueCopyImageToBuffer(queue, image, buffer, origin.data(), region.data(), offset, 0, nullptr, nullptr),
            "to buffer");
      auto expected = content;
      for (std::size_t z = 0; z < region[2]; ++z) {
        for (std::size_t y = 0; y < region[1]; ++y) {
          std::memcpy(expected.data() + offset + (z * region[1] + y) * row, model.row(origin, y, z), row);
        }
      }
      EXPECT_EQ(session.download<std::uint8_t>(buffer, content.size()), expected);

      const Mem other = session.upload(content);
      check(clEnqueueCopyBufferToImage(queue, other, image, offset, origin.data(), region.data(), 0, nullptr, nullptr),
            "to image");
      for (std::size_t z = 0; z < region[2]; ++z) {
        for (std::size_t y = 0; y < region[1]; ++y) {
          std::memcpy(model.row(origin, y, z), content.data() + offset + (z * region[1] + y) * row, row);
        }
      }
    }
    EXPECT_EQ(texels(image, spec), model.bytes());
  }
}

TEST_F(ImageTransfer, FillsARegionAlone) {
  for (const ImageSpec& spec : kEachType) {
    if (skips(spec)) continue;
    Model model(spec);
    const Mem image = upload(spec, model);
    for (int i = 0; i < 10; ++i) {
      const Triple region = region_of(spec.size), origin = origin_for(spec.size, region);
      const cl_uint color[4] = {17, static_cast<cl_uint>(i), 300, 255};
      check(clEnqueueFillImage(queue, image, color, origin.data(), region.data(), 0, nullptr, nullptr), "fill");
      const std::uint8_t texel[4] = {17, static_cast<std::uint8_t>(i), 255, 255};
      for (std::size_t z = 0; z < region[2]; ++z) {
        for (std::size_t y = 0; y < region[1]; ++y) {
          for (std::size_t x = 0; x < region[0]; ++x) std::memcpy(model.row(origin, y, z) + x * 4, texel, 4);
        }
      }
    }
    EXPECT_EQ(texels(image, spec), model.bytes());
  }
}

/// A format, a colour of floats and the bytes of its texel.
struct Fill {
  cl_image_format format;
  std::array<cl_float, 4> color;
  std::vector<std::uint8_t> texel;
};

// OpenCL C 3.0 §8.3, each value exact under the rounding to the nearest even that it names.
TEST_F(ImageTransfer, ColoursOfFloatsAreConverted) {
  const float nan = std::nanf("");
  const Fill fills[] = {
      {{CL_RGBA, CL_UNORM_INT8}, {0, 0.5f, 1, 2}, {0, 128, 255, 255}},
      {{CL_RGBA, CL_UNORM_INT8}, {-1, 0.1f, nan, 0.0019f}, {0, 26, 0, 0}},
      {{CL_BGRA, CL_UNORM_INT8}, {0, 0.2f, 0.4f, 1}, {102, 51, 0, 255}},
      {{CL_ARGB, CL_UNORM_INT8}, {0, 0.2f, 0.4f, 1}, {255, 0, 51, 102}},
      {{CL_RGBA, CL_SNORM_INT8}, {-1, 1, -2, 0.5f}, {0x81, 0x7f, 0x80, 64}},
      {{CL_R, CL_UNORM_INT16}, {0.25f, 0, 0, 0}, {0x00, 0x40}},
      {{CL_RG, CL_SNORM_INT16}, {1, -1, 0, 0}, {0xff, 0x7f, 0x01, 0x80}},
      {{CL_A, CL_UNORM_INT8}, {0, 0, 0, 1}, {255}},
      {{CL_RA, CL_FLOAT}, {1, 0, 0, -2}, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}},
      {{CL_RGBA, CL_HALF_FLOAT}, {1, 65504, 0.1f, -0.0f}, {0, 0x3c, 0xff, 0x7b, 0x66, 0x2e, 0, 0x80}},
      {{CL_RGB, CL_UNORM_SHORT_565}, {1, 0, 1, 0}, {0x1f, 0xf8}},
      {{CL_RGB, CL_UNORM_SHORT_565}, {0, 1, 0, 0}, {0xe0, 0x07}},
      {{CL_RGB, CL_UNORM_INT_101010}, {1, 0, 0, 0}, {0, 0, 0xf0, 0x3f}},
      {{CL_RGBA, CL_UNORM_INT_101010_2}, {0, 0, 1, 1}, {0xff, 0x0f, 0, 0}},
      {{CL_sRGBA, CL_UNORM_INT8}, {0.5f, 0.001f, 1, 0.5f}, {188, 3, 255, 128}},
      {{CL_DEPTH, CL_UNORM_INT16}, {0.5f, 0, 0, 0}, {0x00, 0x80}},
      {{CL_LUMINANCE, CL_UNORM_INT8}, {0.2f, 1, 1, 1}, {51}},
  };
  for (const Fill& fill : fills) {
    if (!has_format(fill.format, CL_MEM_OBJECT_IMAGE2D)) continue;
    const ImageSpec spec = image_2d(3, 2, fill.format, fill.texel.size());
    const Mem image = create(spec);
    const Triple origin{}, region{3, 2, 1};
    check(clEnqueueFillImage(queue, image, fill.color.data(), origin.data(), region.data(), 0, nullptr, nullptr), "fill");
    const auto got = texels(image, spec);
    const std::vector<std::uint8_t> last(got.end() - static_cast<std::ptrdiff_t>(fill.texel.size()), got.end());
    if (testing_pocl() && fill.format.image_channel_data_type != CL_FLOAT) continue;  // rounds otherwise, or not at all
    EXPECT_EQ(last, fill.texel) << std::hex << fill.format.image_channel_order << " " << fill.format.image_channel_data_type;
  }
}

TEST_F(ImageTransfer, SignedColoursSaturate) {
  NOT_ON_POCL("cuts values");
  const ImageSpec spec = image_2d(1, 1, {CL_RGBA, CL_SIGNED_INT16}, 8);
  const Mem image = create(spec);
  const cl_int color[4] = {-5, 70000, -70000, 32767};
  const Triple origin{}, region{1, 1, 1};
  check(clEnqueueFillImage(queue, image, color, origin.data(), region.data(), 0, nullptr, nullptr), "fill");
  cl_short got[4];
  read(image, origin, region, got);
  EXPECT_EQ(got[0], -5);
  EXPECT_EQ(got[1], 32767);
  EXPECT_EQ(got[2], -32768);
  EXPECT_EQ(got[3], 32767);
}

TEST_F(ImageTransfer, MappingsShowTheTexels) {
  for (const ImageSpec& spec : kEachType) {
    if (skips(spec)) continue;
    Model model(spec);
    const Mem image = upload(spec, model);
    const Triple region = region_of(spec.size), origin = origin_for(spec.size, region);
    std::size_t row_pitch = 0, slice_pitch = 1;
    cl_int error = CL_SUCCESS;
    auto* at = static_cast<std::uint8_t*>(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin.data(),
                                                            region.data(), &row_pitch, &slice_pitch, 0, nullptr, nullptr,
                                                            &error));
    ASSERT_EQ(error, CL_SUCCESS);
    if (spec.type == CL_MEM_OBJECT_IMAGE1D || spec.type == CL_MEM_OBJECT_IMAGE2D) EXPECT_EQ(slice_pitch, 0u);
    const std::size_t rows_apart = spec.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice_pitch : row_pitch;
    for (std::size_t z = 0; z < region[2]; ++z) {
      for (std::size_t y = 0; y < region[1]; ++y) {
        std::uint8_t* const row = at + z * slice_pitch + y * rows_apart;
        ASSERT_EQ(std::memcmp(row, model.row(origin, y, z), region[0] * spec.texel), 0);
        row[0] = model.row(origin, y, z)[0] = static_cast<std::uint8_t>(y + 3 * z);
      }
    }
    EXPECT_EQ(memory_value<cl_uint>(image, CL_MEM_MAP_COUNT), 1u);
    check(clEnqueueUnmapMemObject(queue, image, at, 0, nullptr, nullptr), "unmap");
    EXPECT_EQ(texels(image, spec), model.bytes());
    EXPECT_EQ(memory_value<cl_uint>(image, CL_MEM_MAP_COUNT), 0u);
  }
}

// Memory of the application's with gaps: mapped in place, and nothing of the gaps is written.
TEST_F(ImageTransfer, HostPointerWithPitches) {
  ImageSpec spec{CL_MEM_OBJECT_IMAGE3D, {5, 4, 3}};
  cl_image_desc desc = spec.desc();
  desc.image_row_pitch = 32;
  desc.image_slice_pitch = 32 * 5;
  std::vector<std::uint8_t> host(160 * 3, 9);
  const Mem image = create(spec.format, desc, CL_MEM_USE_HOST_PTR, host.data());
  const auto content = iota<std::uint8_t>(spec.bytes());
  write(image, {0, 0, 0}, spec.size, content.data());
  const Triple origin{1, 2, 1}, region{2, 1, 1};
  std::size_t row_pitch = 0, slice_pitch = 0;
  cl_int error = CL_SUCCESS;
  void* at = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin.data(), region.data(), &row_pitch, &slice_pitch, 0,
                               nullptr, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(at, host.data() + 160 + 64 + 4);
  EXPECT_EQ(row_pitch, 32u);
  EXPECT_EQ(slice_pitch, 160u);
  for (std::size_t i = 0; i < host.size(); ++i) {
    const std::size_t x = i % 32, y = i % 160 / 32, z = i / 160;
    ASSERT_EQ(host[i], x < 20 && y < 4 ? content[(z * 4 + y) * 20 + x] : 9) << i;
  }
  check(clEnqueueUnmapMemObject(queue, image, at, 0, nullptr, nullptr), "unmap");
  check(clFinish(queue), "clFinish");
}

// COPY_HOST_PTR with pitches reads nothing past the last texel.
TEST_F(ImageTransfer, CopiedHostPointerWithPitches) {
  const ImageSpec spec = image_2d(5, 3);
  cl_image_desc desc = spec.desc();
  desc.image_row_pitch = 24;
  const auto host = iota<std::uint8_t>(24 * 2 + 20);
  const Mem image = create(spec.format, desc, CL_MEM_COPY_HOST_PTR, const_cast<std::uint8_t*>(host.data()));
  const auto got = texels(image, spec);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], host[i / 20 * 24 + i % 20]);
}

// Each level half the size of the one before; the level stands after the coordinates in the origin.
TEST_F(ImageTransfer, LevelsOfMipmaps) {
  if (!has_extension("cl_khr_mipmap_image")) GTEST_SKIP() << "no cl_khr_mipmap_image";
  for (const ImageSpec& base : kEachType) {
    ImageSpec spec = base;
    spec.levels = 3;
    const Mem image = create(spec);
    EXPECT_EQ(image_value<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS), 3u);
    const bool is_array = spec.type == CL_MEM_OBJECT_IMAGE1D_ARRAY || spec.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    const unsigned coordinates = spec.type == CL_MEM_OBJECT_IMAGE1D                                              ? 1
                                 : spec.type == CL_MEM_OBJECT_IMAGE1D_ARRAY || spec.type == CL_MEM_OBJECT_IMAGE2D ? 2
                                                                                                                  : 3;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t level = 0; level < 3; ++level) {
        Triple region;
        for (unsigned d = 0; d < 3; ++d) {
          const bool is_layer = is_array && d + 1 == coordinates;
          region[d] = is_layer ? spec.size[d] : std::max<std::size_t>(1, spec.size[d] >> level);
        }
        std::size_t origin[4] = {};
        origin[coordinates] = level;
        const std::size_t bytes = region[0] * region[1] * region[2] * 4;
        const std::vector<std::uint8_t> content(bytes, static_cast<std::uint8_t>(level + 1));
        if (pass == 0) {
          check(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region.data(), 0, 0, content.data(), 0, nullptr, nullptr),
                "write");
        } else {
          std::vector<std::uint8_t> got(bytes);
          check(clEnqueueReadImage(queue, image, CL_TRUE, origin, region.data(), 0, 0, got.data(), 0, nullptr, nullptr), "read");
          EXPECT_EQ(got, content);
          ++region[0];
          EXPECT_EQ(clEnqueueReadImage(queue, image, CL_TRUE, origin, region.data(), 0, 0, got.data(), 0, nullptr, nullptr),
                    CL_INVALID_VALUE);
        }
      }
    }
    std::size_t origin[4] = {};
    origin[coordinates] = 3;
    const Triple one{1, 1, 1};
    std::uint8_t texel[4];
    EXPECT_EQ(clEnqueueReadImage(queue, image, CL_TRUE, origin, one.data(), 0, 0, texel, 0, nullptr, nullptr),
              CL_INVALID_MIP_LEVEL);
  }
}

// Large enough for workers in parts, and for writes past the caches.
TEST_F(ImageTransfer, LargeImages) {
  const ImageSpec spec = image_2d(2051, 2049, {CL_RGBA, CL_UNSIGNED_INT32}, 16);
  std::vector<cl_uint> content(spec.bytes() / 4);
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<cl_uint>(i * 2654435761u);
  const Mem a = create(spec), b = create(spec);
  Event written, copied;
  const Triple origin{};
  check(clEnqueueWriteImage(queue, a, CL_FALSE, origin.data(), spec.size.data(), 0, 0, content.data(), 0, nullptr, written.out()),
        "write");
  const cl_event waits[] = {written};
  check(clEnqueueCopyImage(queue, a, b, origin.data(), origin.data(), spec.size.data(), 1, waits, copied.out()), "copy");
  std::vector<cl_uint> got(content.size());
  check(clEnqueueReadImage(queue, b, CL_TRUE, origin.data(), spec.size.data(), 0, 0, got.data(), 0, nullptr, nullptr), "read");
  EXPECT_EQ(got, content);
  const cl_uint color[4] = {1, 2, 3, 4};
  check(clEnqueueFillImage(queue, b, color, origin.data(), spec.size.data(), 0, nullptr, nullptr), "fill");
  check(clEnqueueReadImage(queue, b, CL_TRUE, origin.data(), spec.size.data(), 0, 0, got.data(), 0, nullptr, nullptr), "read");
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], i % 4 + 1);
}

TEST_F(ImageTransfer, CommandsSayTheirTypes) {
  const Mem image = create(image_2d(4, 4)), other = create(image_2d(4, 4)), buffer = session.buffer(64);
  const Triple origin{}, region{4, 4, 1};
  std::uint8_t host[64];
  const cl_uint color[4] = {};
  std::size_t pitch = 0;
  Event events[7];
  check(clEnqueueWriteImage(queue, image, CL_FALSE, origin.data(), region.data(), 0, 0, host, 0, nullptr, events[0].out()), "");
  check(clEnqueueReadImage(queue, image, CL_FALSE, origin.data(), region.data(), 0, 0, host, 0, nullptr, events[1].out()), "");
  check(clEnqueueCopyImage(queue, image, other, origin.data(), origin.data(), region.data(), 0, nullptr, events[2].out()), "");
  check(clEnqueueCopyImageToBuffer(queue, image, buffer, origin.data(), region.data(), 0, 0, nullptr, events[3].out()), "");
  check(clEnqueueCopyBufferToImage(queue, buffer, image, 0, origin.data(), region.data(), 0, nullptr, events[4].out()), "");
  check(clEnqueueFillImage(queue, image, color, origin.data(), region.data(), 0, nullptr, events[5].out()), "");
  void* at = clEnqueueMapImage(queue, image, CL_FALSE, CL_MAP_READ, origin.data(), region.data(), &pitch, nullptr, 0, nullptr,
                               events[6].out(), nullptr);
  check(clFinish(queue), "clFinish");
  const cl_command_type expected[] = {CL_COMMAND_WRITE_IMAGE,          CL_COMMAND_READ_IMAGE,           CL_COMMAND_COPY_IMAGE,
                                      CL_COMMAND_COPY_IMAGE_TO_BUFFER, CL_COMMAND_COPY_BUFFER_TO_IMAGE, CL_COMMAND_FILL_IMAGE,
                                      CL_COMMAND_MAP_IMAGE};
  for (int i = 0; i < 7; ++i) {
    cl_command_type type = 0;
    check(clGetEventInfo(events[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), "clGetEventInfo");
    EXPECT_EQ(type, expected[i]);
  }
  const cl_mem both[] = {image, buffer};
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 2, both, 0, 0, nullptr, nullptr), CL_SUCCESS);
  check(clEnqueueUnmapMemObject(queue, image, at, 0, nullptr, nullptr), "unmap");
  check(clFinish(queue), "clFinish");
}

}  // namespace
}  // namespace weft::conformance
