// Images and samplers in kernels: reads of random formats, samplers and coordinates against the specification's formulas, writes,
// what kernels ask of images, and errors of arguments (OpenCL C 3.0 §6.15.15, §8; OpenCL 3.0 API §5.9.2).
#include <limits>

#include "api/fixture.h"
#include "common/image_reference.h"

namespace weft::conformance {
namespace {

class ImageKernelTest : public ApiTest {
 protected:
  void SetUp() override {
    cl_bool images = CL_FALSE;
    check(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr), "clGetDeviceInfo");
    if (!images) GTEST_SKIP() << "no images";
  }

  std::uint32_t random(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state_ >> 33) * bound >> 31);
  }

  static cl_mem_object_type type_of(Kind kind) {
    constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                             CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
    return kTypes[static_cast<int>(kind)];
  }

  bool supports(Kind kind, cl_image_format format, cl_mem_flags flags = CL_MEM_READ_ONLY) {
    cl_uint count = 0;
    check(clGetSupportedImageFormats(context, flags, type_of(kind), 0, nullptr, &count), "clGetSupportedImageFormats");
    std::vector<cl_image_format> formats(count);
    check(clGetSupportedImageFormats(context, flags, type_of(kind), count, formats.data(), nullptr), "clGetSupportedImageFormats");
    for (const cl_image_format& each : formats)
      if (each.image_channel_order == format.image_channel_order && each.image_channel_data_type == format.image_channel_data_type)
        return true;
    return false;
  }

  ReferenceImage random_image(Kind kind, cl_image_format format, int most = 40) {
    ReferenceImage image{kind, format, {1, 1, 1}, 1, {}};
    for (int d = 0; d < dimensions_of(kind); ++d) image.size[d] = 1 + static_cast<int>(random(d == 2 ? 6 : most));
    if (is_array(kind)) image.layers = 1 + static_cast<int>(random(5));
    image.bytes.resize(std::size_t{1} * image.size[0] * image.size[1] * image.size[2] * image.layers * image.texel_bytes());
    if (format.image_channel_data_type == CL_FLOAT) {
      for (std::size_t i = 0; i < image.bytes.size(); i += 4) {
        const float value = static_cast<float>(random(1 << 20)) / (1 << 18) - 2;
        std::memcpy(&image.bytes[i], &value, 4);
      }
    } else if (format.image_channel_data_type == CL_HALF_FLOAT) {
      for (std::size_t i = 0; i < image.bytes.size(); i += 2) {
        const std::uint16_t value = static_cast<std::uint16_t>(random(0x4400) | random(2) << 15);
        std::memcpy(&image.bytes[i], &value, 2);
      }
    } else {
      for (std::uint8_t& byte : image.bytes) byte = static_cast<std::uint8_t>(random(256));
    }
    return image;
  }

  Mem create(const ReferenceImage& image, cl_mem_flags flags = CL_MEM_READ_ONLY) {
    cl_image_desc desc{};
    desc.image_type = type_of(image.kind);
    desc.image_width = image.size[0];
    desc.image_height = image.size[1];
    desc.image_depth = image.size[2];
    desc.image_array_size = image.layers;
    cl_int error = CL_SUCCESS;
    const bool filled = !image.bytes.empty();
    const cl_mem made = clCreateImage(context, flags | (filled ? CL_MEM_COPY_HOST_PTR : 0), &image.format, &desc,
                                      filled ? const_cast<std::uint8_t*>(image.bytes.data()) : nullptr, &error);
    check(error, "clCreateImage");
    return Mem(made);
  }

  std::vector<std::uint8_t> read(const Mem& mem, const ReferenceImage& image) {
    std::vector<std::uint8_t> bytes(std::size_t{1} * image.size[0] * image.size[1] * image.size[2] * image.layers * image.texel_bytes());
    const std::size_t origin[3] = {};
    std::size_t region[3] = {static_cast<std::size_t>(image.size[0]), static_cast<std::size_t>(image.size[1]),
                             static_cast<std::size_t>(image.size[2])};
    if (image.kind == Kind::k1DArray) region[1] = image.layers;
    if (image.kind == Kind::k2DArray) region[2] = image.layers;
    check(clEnqueueReadImage(queue, mem, CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr, nullptr), "clEnqueueReadImage");
    return bytes;
  }

  class Sampler {
   public:
    Sampler(cl_context context, const SamplerState& state) {
      cl_int error = CL_SUCCESS;
      const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, state.normalized, CL_SAMPLER_ADDRESSING_MODE,
                                                  state.addressing, CL_SAMPLER_FILTER_MODE, state.filter, 0};
      handle_ = clCreateSamplerWithProperties(context, properties, &error);
      check(error, "clCreateSamplerWithProperties");
    }
    ~Sampler() { clReleaseSampler(handle_); }
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;
    operator cl_sampler() const { return handle_; }

   private:
    cl_sampler handle_ = nullptr;
  };

  SamplerState random_sampler(bool linear_allowed) {
    SamplerState sampler;
    sampler.normalized = random(2);
    constexpr cl_addressing_mode kModes[] = {CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
    sampler.addressing = kModes[random(sampler.normalized ? 4 : 2)];
    sampler.filter = linear_allowed && random(2) ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
    return sampler;
  }

  /// From a texel and a half before the image to as much behind; repeats go further. Not within 1/128 of a texel's edge where
  /// rounding decides: only unnormalized coordinates are exact.
  float random_coordinate(const SamplerState& sampler, int size) {
    const bool repeats = sampler.addressing == CL_ADDRESS_REPEAT || sampler.addressing == CL_ADDRESS_MIRRORED_REPEAT;
    const std::uint32_t range = 64 * static_cast<std::uint32_t>(repeats ? 3 * size : size + 4);
    const double u = (static_cast<double>(random(range)) + (sampler.normalized ? 0.5 : 0)) / 64 - (repeats ? size : 2);
    return static_cast<float>(sampler.normalized ? u / size : u);
  }

  static std::string source() {
    std::string text =
        "#define READ(name, T, type, at, F) kernel void name(read_only type image, sampler_t s, global const float4* where, "
        "global T* out) { size_t i = get_global_id(0); float4 w = where[i]; out[i] = F(image, s, at); }\n";
    constexpr const char* kKinds[][3] = {{"image1d_t", "w.x", "0"}, {"image1d_array_t", "w.xy", "1"}, {"image2d_t", "w.xy", "2"},
                                         {"image2d_array_t", "w", "3"}, {"image3d_t", "w", "4"}};
    for (const auto& [type, at, number] : kKinds) {
      const std::string rest = std::string(", ") + type + ", " + at;
      text += std::string("READ(f") + number + ", float4" + rest + ", read_imagef)\n";
      text += std::string("READ(i") + number + ", int4" + rest + ", read_imagei)\n";
      text += std::string("READ(u") + number + ", uint4" + rest + ", read_imageui)\n";
    }
    return text;
  }

  void expect_reads(const Program& program, const ReferenceImage& image, const SamplerState& sampler) {
    const cl_channel_type type = image.format.image_channel_data_type;
    const std::string name = (!is_integer(type) ? "f" : is_unsigned_integer(type) ? "u" : "i") +
                             std::to_string(static_cast<int>(image.kind));
    constexpr std::size_t kCount = 192;
    std::vector<std::array<float, 4>> at(kCount);
    for (auto& where : at) {
      const int dimensions = dimensions_of(image.kind);
      for (int d = 0; d < dimensions; ++d) where[d] = random_coordinate(sampler, image.size[d]);
      if (is_array(image.kind)) where[dimensions] = static_cast<float>(random(image.layers + 2)) - 1 + 0.25f;
    }
    const Mem from = create(image);
    const Mem where = session.upload(at);
    const Mem to = session.buffer(kCount * 16);
    const Sampler object(context, sampler);
    session.launch(session.kernel(program, name), {{kCount}, {64}}, from, static_cast<cl_sampler>(object), where, to);
    const auto words = session.download<std::array<std::uint32_t, 4>>(to, kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      const Color want = image.sample(sampler, at[i]);
      for (int c = 0; c < 4; ++c) {
        double got;
        if (!is_integer(type)) {
          float value;
          std::memcpy(&value, &words[i][c], 4);
          got = value;
        } else {
          got = is_unsigned_integer(type) ? words[i][c] : static_cast<double>(static_cast<std::int32_t>(words[i][c]));
        }
        const double tolerance = is_integer(type) ? 0 : sampler.filter == CL_FILTER_LINEAR ? 1e-4 : 2e-7;
        ASSERT_NEAR(got, want[c], tolerance * std::max(1.0, std::fabs(want[c])))
            << "channel " << c << " of format " << std::hex << image.format.image_channel_order << ' ' << type << std::dec
            << ", kernel " << name << ", size " << image.size[0] << ' ' << image.size[1] << ' ' << image.size[2] << " x "
            << image.layers << ", normalized " << sampler.normalized << ", addressing " << std::hex << sampler.addressing
            << ", filter " << sampler.filter << std::dec << ", at " << at[i][0] << ' ' << at[i][1] << ' ' << at[i][2];
      }
    }
  }

 private:
  std::uint64_t state_ = 1;
};

constexpr cl_image_format kRequired[] = {
    {CL_RGBA, CL_UNORM_INT8},   {CL_RGBA, CL_UNORM_INT16},   {CL_RGBA, CL_SIGNED_INT8},    {CL_RGBA, CL_SIGNED_INT16},
    {CL_RGBA, CL_SIGNED_INT32}, {CL_RGBA, CL_UNSIGNED_INT8}, {CL_RGBA, CL_UNSIGNED_INT16}, {CL_RGBA, CL_UNSIGNED_INT32},
    {CL_RGBA, CL_HALF_FLOAT},   {CL_RGBA, CL_FLOAT},         {CL_BGRA, CL_UNORM_INT8},
};

TEST_F(ImageKernelTest, ReadsAreTheFormulas) {
  NOT_ON_POCL("has few formats and other roundings");
  constexpr cl_channel_order kOrders[] = {CL_R,    CL_A,    CL_RG,        CL_RA,        CL_RGBA,  CL_BGRA,
                                          CL_ARGB, CL_ABGR, CL_INTENSITY, CL_LUMINANCE, CL_sRGBA, CL_sBGRA};
  constexpr cl_channel_type kTypes[] = {CL_UNORM_INT8,  CL_SNORM_INT8,  CL_UNORM_INT16,   CL_SNORM_INT16,    CL_SIGNED_INT8,   CL_SIGNED_INT16,
                                        CL_SIGNED_INT32, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT};
  const char* rounds = std::getenv("WEFT_IMAGE_ROUNDS");
  for (int round = 0, last = rounds ? std::atoi(rounds) : 60; round < last;) {
    // Each program has its own variants; the later ones of many read formats at run time.
    const Program program = session.build(source(), "-DPROGRAM=" + std::to_string(round));
    for (const int end = std::min(last, round + 200); round < end;) {
      const Kind kind = static_cast<Kind>(random(5));
      const cl_image_format format{kOrders[random(std::size(kOrders))], kTypes[random(std::size(kTypes))]};
      if (!supports(kind, format)) continue;
      ++round;
      expect_reads(program, random_image(kind, format), random_sampler(!is_integer(format.image_channel_data_type)));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(ImageKernelTest, RequiredFormatsAreReadAtWholeTexels) {
  const Program program = session.build(
      "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
      "kernel void f(read_only image2d_t image, global float4* out, int w) { int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
      "  out[p.y * w + p.x] = read_imagef(image, s, p - 2); }\n"
      "kernel void i(read_only image2d_t image, global int4* out, int w) { int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
      "  out[p.y * w + p.x] = read_imagei(image, s, p - 2); }\n"
      "kernel void u(read_only image2d_t image, global uint4* out, int w) { int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
      "  out[p.y * w + p.x] = read_imageui(image, s, p - 2); }\n");
  for (const cl_image_format& format : kRequired) {
    const cl_channel_type type = format.image_channel_data_type;
    ReferenceImage image = random_image(Kind::k2D, format, 75);
    const Mem from = create(image);
    const std::size_t width = image.size[0] + 4, height = image.size[1] + 4;
    const Mem to = session.buffer(width * height * 16);
    session.launch(session.kernel(program, !is_integer(type) ? "f" : is_unsigned_integer(type) ? "u" : "i"), {{width, height}, {}}, from, to,
                   static_cast<cl_int>(width));
    const auto words = session.download<std::array<std::uint32_t, 4>>(to, width * height);
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x) {
        const Color want = image.texel(static_cast<int>(x) - 2, static_cast<int>(y) - 2, 0, 0);
        for (int c = 0; c < 4; ++c) {
          const std::uint32_t word = words[y * width + x][c];
          float value;
          std::memcpy(&value, &word, 4);
          const double got = !is_integer(type) ? value : is_unsigned_integer(type) ? word : static_cast<double>(static_cast<std::int32_t>(word));
          ASSERT_NEAR(got, want[c], is_integer(type) ? 0 : 2e-7 * std::max(1.0, std::fabs(want[c])))
              << "texel " << x << ' ' << y << " channel " << c << " type " << std::hex << type;
        }
      }
  }
}

/// A channel c of n bits is the float nearest c / most, so that programs which keep whole numbers in it (ffmpeg's remap) get them back by
/// channel * most and a conversion that truncates.
TEST_F(ImageKernelTest, FractionsAreTheNearest) {
  NOT_ON_POCL("scales by a rounded reciprocal");
  const Program program = session.build(
      "kernel void f(read_only image2d_t image, global float* out) { int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
      "  const sampler_t s = CLK_FILTER_NEAREST; out[p.y * 256 + p.x] = read_imagef(image, s, p).x; }\n");
  for (const cl_channel_type type : {CL_UNORM_INT16, CL_SNORM_INT16}) {
    ReferenceImage image = random_image(Kind::k2D, {CL_R, type}, 75);
    image.size[0] = image.size[1] = 256;
    image.bytes.resize(std::size_t{65536} * 2);
    for (int c = 0; c < 65536; ++c) {
      const auto word = static_cast<std::uint16_t>(c);
      std::memcpy(&image.bytes[std::size_t{2} * c], &word, 2);
    }
    const Mem from = create(image);
    const Mem to = session.buffer(std::size_t{65536} * 4);
    session.launch(session.kernel(program, "f"), {{256, 256}, {}}, from, to);
    const auto got = session.download<float>(to, 65536);
    for (int c = 0; c < 65536; ++c) {
      const float want = type == CL_UNORM_INT16 ? static_cast<float>(c / 65535.0) : std::max(-1.0f, static_cast<float>(static_cast<std::int16_t>(c) / 32767.0));
      ASSERT_EQ(got[c], want) << c << " of type " << std::hex << type;
    }
  }
}

TEST_F(ImageKernelTest, WhatIsWrittenComesBack) {
  const Program program = session.build(
      "kernel void f(read_only image2d_t from, write_only image2d_t to) { int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
      "  const sampler_t s = CLK_FILTER_NEAREST; write_imagef(to, p, read_imagef(from, s, p)); }\n"
      "kernel void i(read_only image2d_t from, write_only image2d_t to) { int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
      "  const sampler_t s = CLK_FILTER_NEAREST; write_imagei(to, p, read_imagei(from, s, p)); }\n"
      "kernel void u(read_only image2d_t from, write_only image2d_t to) { int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
      "  const sampler_t s = CLK_FILTER_NEAREST; write_imageui(to, p, read_imageui(from, s, p)); }\n");
  for (const cl_image_format& format : kRequired) {
    const cl_channel_type type = format.image_channel_data_type;
    const ReferenceImage image = random_image(Kind::k2D, format, 75);
    ReferenceImage blank = image;
    blank.bytes.clear();
    const Mem from = create(image);
    const Mem to = create(blank, CL_MEM_WRITE_ONLY);
    session.launch(session.kernel(program, !is_integer(type) ? "f" : is_unsigned_integer(type) ? "u" : "i"),
                   {{static_cast<std::size_t>(image.size[0]), static_cast<std::size_t>(image.size[1])}, {}}, from, to);
    EXPECT_EQ(read(to, image), image.bytes) << std::hex << type;
  }
}

/// Filters whose taps neighbouring work-items share, in groups of many shapes, at edges and borders, from an offset, behind a return.
TEST_F(ImageKernelTest, FiltersOfAnyGroup) {
  const Program program = session.build(
      "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
      "constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
      "#define FILTER(name, sampler, from, T) kernel void name(read_only image2d_t image, global float4* out, int w, int h) {\\\n"
      "  int2 p = (int2)(get_global_id(0), get_global_id(1)); if (p.x >= w || p.y >= h) return; float4 sum = 0;\\\n"
      "  for (int y = -2; y <= 3; ++y) for (int x = -4; x <= 1; ++x)\\\n"
      "    sum += (float)(6 * y + x + 20) * read_imagef(image, sampler, from + (T)(x, y));\\\n"
      "  out[p.y * w + p.x] = sum; }\n"
      "FILTER(edges, edge, p, int2) FILTER(borders, border, p, int2) FILTER(middles, border, convert_float2(p) + 0.5f, float2)\n");
  constexpr cl_image_format kFormats[] = {{CL_RGBA, CL_UNORM_INT8}, {CL_BGRA, CL_UNORM_INT8}, {CL_RGBA, CL_UNORM_INT16}, {CL_RGBA, CL_HALF_FLOAT}};
  constexpr std::size_t kLocal[][2] = {{32, 8}, {16, 16}, {8, 8}, {64, 2}, {16, 4}, {8, 32}, {24, 4}, {96, 1}};
  for (const char* name : {"edges", "borders", "middles"})
    for (const auto& local : kLocal) {
      const cl_image_format& format = kFormats[random(std::size(kFormats))];
      const ReferenceImage image = random_image(Kind::k2D, format, 90);
      const Mem from = create(image);
      const int width = image.size[0] + 3, height = image.size[1] + 2;
      const Mem to = session.upload(std::vector<std::array<float, 4>>(std::size_t{1} * width * height));
      const std::size_t global[] = {(width + local[0] - 1) / local[0] * local[0], (height + local[1] - 1) / local[1] * local[1]};
      session.launch(session.kernel(program, name), {{global[0], global[1]}, {local[0], local[1]}}, from, to, width, height);
      const auto got = session.download<std::array<float, 4>>(to, std::size_t{1} * width * height);
      const bool edge = name[0] == 'e';
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          Color want{};
          for (int j = -2; j <= 3; ++j)
            for (int i = -4; i <= 1; ++i) {
              const int column = edge ? std::clamp(x + i, 0, image.size[0] - 1) : x + i, row = edge ? std::clamp(y + j, 0, image.size[1] - 1) : y + j;
              const Color tap = image.texel(column, row, 0, 0);
              for (int c = 0; c < 4; ++c) want[c] += (6 * j + i + 20) * tap[c];
            }
          for (int c = 0; c < 4; ++c)
            ASSERT_NEAR(got[std::size_t{1} * y * width + x][c], want[c], 1e-5 * std::max(100.0, std::fabs(want[c])))
                << name << ", groups of " << local[0] << ' ' << local[1] << ", pixel " << x << ' ' << y << " channel " << c;
        }
    }
}

TEST_F(ImageKernelTest, WritesSaturateAndRoundToEven) {
  const std::vector<float> values = {-1,  -0.5f, 0,    0.5f / 255, 1.5f / 255, 2.5f / 255, 0.5f, 254.5f / 255,
                                     1.0f, 1.5f,  300.f, 1e30f,      -1e30f,     std::numeric_limits<float>::infinity(),
                                     -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
  ReferenceImage image{Kind::k1D, {CL_RGBA, CL_UNORM_INT8}, {static_cast<int>(values.size()), 1, 1}, 1, {}};
  const Mem to = create(image, CL_MEM_WRITE_ONLY);
  const Mem from = session.upload(values);
  session.run("kernel void k(write_only image1d_t to, global const float* v) { int i = get_global_id(0);\n"
              "  write_imagef(to, i, (float4)(v[i], 0.0f, 1.0f, v[i])); }",
              "k", {{values.size()}, {}}, to, from);
  const auto bytes = read(to, image);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float scaled = values[i] * 255.0f;
    const int want = scaled > 0 ? static_cast<int>(std::nearbyint(std::min(scaled, 255.0f))) : 0;
    EXPECT_EQ(bytes[4 * i], want) << values[i];
    EXPECT_EQ(bytes[4 * i + 1], 0);
    EXPECT_EQ(bytes[4 * i + 2], 255);
    EXPECT_EQ(bytes[4 * i + 3], want) << values[i];
  }
}

// A column of one work-item a row, in groups of fewer than a register has lanes and none beside them: of four numbers one is written.
TEST_F(ImageKernelTest, OneChannelOfVectorsInNarrowGroups) {
  constexpr cl_image_format kFormat{CL_R, CL_UNSIGNED_INT32};
  if (!supports(Kind::k2D, kFormat, CL_MEM_WRITE_ONLY)) GTEST_SKIP() << "no such format";
  const Program program = session.build(
      "kernel void k(global const uint4* from, write_only image2d_t to) { int x = get_global_id(0), y = get_global_id(1);\n"
      "  write_imageui(to, (int2)(x, y), from[y * get_image_width(to) + x]); }\n");
  constexpr std::size_t kWidth = 1, kHeight = 24;
  ReferenceImage image{Kind::k2D, kFormat, {kWidth, kHeight, 1}, 1, {}};
  std::vector<cl_uint> from(4 * kWidth * kHeight), wanted;
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] = static_cast<cl_uint>(i * 2654435761u);
    if (i % 4 == 0) wanted.push_back(from[i]);
  }
  for (const std::size_t rows : {1, 2, 4, 6, 8, 12, 24}) {
    const Mem to = create(image, CL_MEM_WRITE_ONLY);
    session.launch(session.kernel(program, "k"), {{kWidth, kHeight}, {1, rows}}, session.upload(from), to);
    const auto bytes = read(to, image);
    ASSERT_EQ(bytes.size(), 4 * wanted.size());
    EXPECT_EQ(std::memcmp(bytes.data(), wanted.data(), bytes.size()), 0) << "groups of " << rows;
  }
}

TEST_F(ImageKernelTest, NothingIsWrittenOutside) {
  ReferenceImage image = random_image(Kind::k2D, {CL_RGBA, CL_UNORM_INT8}, 30);
  const Mem to = create(image, CL_MEM_READ_WRITE);
  const std::size_t width = image.size[0] + 40, height = image.size[1] + 20;
  session.run("kernel void k(write_only image2d_t to) { int2 p = (int2)(get_global_id(0), get_global_id(1)) - 10;\n"
              "  if (p.x < 0 || p.y < 0 || p.x >= get_image_width(to) || p.y >= get_image_height(to)) write_imagef(to, p, (float4)(1)); }",
              "k", {{width, height}, {}}, to);
  EXPECT_EQ(read(to, image), image.bytes);
}

TEST_F(ImageKernelTest, ReadWriteImagesAndHelpers) {
  WEFT_ONLY("read_write images are optional");
  ReferenceImage image = random_image(Kind::k2D, {CL_RGBA, CL_UNSIGNED_INT32}, 50);
  const Mem mem = create(image, CL_MEM_READ_WRITE);
  const Program program = session.build(
      "uint4 twice(read_write image2d_t image, int2 p) { return read_imageui(image, p) * 2; }\n"
      "kernel void k(read_write image2d_t image) { int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
      "  write_imageui(image, p, twice(image, p)); write_imageui(image, p, twice(image, p)); }",
      "-cl-std=CL3.0");
  session.launch(session.kernel(program, "k"), {{static_cast<std::size_t>(image.size[0]), static_cast<std::size_t>(image.size[1])}, {}}, mem);
  auto want = image.bytes;
  for (std::size_t i = 0; i < want.size(); i += 4) {
    std::uint32_t value;
    std::memcpy(&value, &want[i], 4);
    value *= 4;
    std::memcpy(&want[i], &value, 4);
  }
  EXPECT_EQ(read(mem, image), want);
}

TEST_F(ImageKernelTest, ImagesAndSamplersThatDependOnConditions) {
  NOT_ON_POCL("it crashes");
  const ReferenceImage a = random_image(Kind::k2D, {CL_RGBA, CL_FLOAT}), b = random_image(Kind::k2D, {CL_RGBA, CL_UNORM_INT8});
  const Mem first = create(a), second = create(b);
  const Mem out = session.buffer(64 * 16);
  session.run("float4 pick(read_only image2d_t image, sampler_t s, int2 p) { return read_imagef(image, s, p); }\n"
              "const sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
              "constant sampler_t border = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
              "kernel void k(read_only image2d_t a, read_only image2d_t b, global float4* out) { int i = get_global_id(0);\n"
              "  if (i % 3 == 0) out[i] = pick(a, edge, (int2)(i, 0)); else out[i] = pick(b, border, (int2)(i, 0)); }",
              "k", {{64}, {64}}, first, second, out);
  const auto got = session.download<std::array<float, 4>>(out, 64);
  for (int i = 0; i < 64; ++i) {
    const Color want = i % 3 == 0 ? a.texel(std::min(i, a.size[0] - 1), 0, 0, 0) : b.texel(i, 0, 0, 0);
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(got[i][c], want[c], 2e-7 * std::max(1.0, std::fabs(want[c]))) << i;
  }
}

TEST_F(ImageKernelTest, WhatKernelsAskOfImages) {
  const ReferenceImage a = random_image(Kind::k2D, {CL_RGBA, CL_UNORM_INT8}), b = random_image(Kind::k3D, {CL_RGBA, CL_FLOAT}),
                       c = random_image(Kind::k2DArray, {CL_RGBA, CL_UNSIGNED_INT8});
  const Mem first = create(a), second = create(b), third = create(c);
  const Mem out = session.buffer(64);
  session.run("kernel void k(read_only image2d_t a, read_only image3d_t b, read_only image2d_array_t c, global int* out) {\n"
              "  out[0] = get_image_width(a); out[1] = get_image_height(a); out[2] = get_image_channel_data_type(a) == CLK_UNORM_INT8;\n"
              "  out[3] = get_image_channel_order(a) == CLK_RGBA; out[4] = get_image_dim(a).y; out[5] = get_image_depth(b);\n"
              "  out[6] = get_image_dim(b).z; out[7] = get_image_channel_data_type(b) == CLK_FLOAT; out[8] = get_image_array_size(c);\n"
              "  out[9] = get_image_height(c); }",
              "k", {{1}, {1}}, first, second, third, out);
  EXPECT_EQ(session.download<cl_int>(out, 10), (std::vector<cl_int>{a.size[0], a.size[1], 1, 1, a.size[1], b.size[2], b.size[2], 1,
                                                                     c.layers, c.size[1]}));
}

TEST_F(ImageKernelTest, WrongArgumentsAreRefused) {
  const Program program = session.build(
      "kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s, global int* buffer) {\n"
      "  write_imagef(out, (int2)(0), read_imagef(in, s, (int2)(0))); buffer[0] = 0; }");
  const Kernel kernel = session.kernel(program, "k");
  const ReferenceImage plane = random_image(Kind::k2D, {CL_RGBA, CL_UNORM_INT8}), space = random_image(Kind::k3D, {CL_RGBA, CL_UNORM_INT8});
  const Mem readable = create(plane, CL_MEM_READ_ONLY), writable = create(plane, CL_MEM_WRITE_ONLY), cube = create(space);
  const Mem buffer = session.buffer(64);
  const auto set = [&](cl_uint index, cl_mem mem) { return clSetKernelArg(kernel, index, sizeof mem, &mem); };
  EXPECT_EQ(set(0, readable), CL_SUCCESS);
  EXPECT_EQ(set(1, writable), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 3, &readable), CL_INVALID_ARG_SIZE);
  NOT_ON_POCL("it takes images of another access, and null for a sampler");
  EXPECT_EQ(set(0, writable), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set(1, readable), CL_INVALID_ARG_VALUE);
  const cl_mem none = nullptr;
  EXPECT_NE(clSetKernelArg(kernel, 2, sizeof none, &none), CL_SUCCESS);
  WEFT_ONLY("what is no valid object is left to implementations in part");
  EXPECT_EQ(set(0, cube), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set(0, buffer), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(3, readable), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(0, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(2, buffer), CL_INVALID_SAMPLER);
  EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof none, nullptr), CL_INVALID_SAMPLER);
}

TEST_F(ImageKernelTest, ArgumentInformation) {
  const Program program = session.build(
      "kernel void k(read_only image2d_t in, write_only image3d_t out, sampler_t s) {}", "-cl-kernel-arg-info");
  const Kernel kernel = session.kernel(program, "k");
  const auto text = [&](cl_uint index) {
    char name[64] = {};
    check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr), "clGetKernelArgInfo");
    return std::string(name);
  };
  EXPECT_EQ(text(0), "image2d_t");
  EXPECT_EQ(text(1), "image3d_t");
  EXPECT_EQ(text(2), "sampler_t");
  cl_kernel_arg_access_qualifier access = 0;
  check(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr), "clGetKernelArgInfo");
  EXPECT_EQ(access, cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_WRITE_ONLY});
  cl_kernel_arg_address_qualifier space = 0;
  check(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr), "clGetKernelArgInfo");
  EXPECT_EQ(space, cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_GLOBAL});
}

}  // namespace
}  // namespace weft::conformance
