// Images resampled along rows, whose texels lie close together, and sums of texels that are written as bytes (OpenCL C 3.0 §8.2, §8.3.1.1).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "api/images.h"
#include "common/image_reference.h"

namespace weft::conformance {
namespace {

class ImageRows : public ImageApiTest {
 protected:
  ReferenceImage noise(cl_image_format format, int width, int height, int depth = 1) {
    ReferenceImage image{depth > 1 ? Kind::k3D : Kind::k2D, format, {width, height, depth}, 1, {}};
    image.bytes.resize(std::size_t{1} * width * height * depth * image.texel_bytes());
    const auto next = [&] { return static_cast<std::uint8_t>((state_ = state_ * 6364136223846793005u + 1442695040888963407u) >> 56); };
    for (std::uint8_t& byte : image.bytes) byte = next();
    if (format.image_channel_data_type == CL_FLOAT)
      for (std::size_t i = 0; i < image.bytes.size(); i += 4) {
        const float value = static_cast<float>(image.bytes[i]) / 255;
        std::memcpy(&image.bytes[i], &value, 4);
      }
    return image;
  }

  Mem upload(const ReferenceImage& image) {
    const cl_mem_object_type type = image.kind == Kind::k3D ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
    const ImageSpec spec{type, {std::size_t{1} * image.size[0], std::size_t{1} * image.size[1], std::size_t{1} * image.size[2]}, image.format};
    return create(image.format, spec.desc(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                  const_cast<std::uint8_t*>(image.bytes.data()));
  }

 private:
  std::uint64_t state_ = 11;
};

/// Enlarged, reduced, mirrored, turned, from far apart, at the edges: each pixel is the formulas'.
TEST_F(ImageRows, AreResampled) {
  NOT_ON_POCL("has another border for images without alpha");
  struct Sampling {
    SamplerState sampler;
    const char* bits;
    double xx, xy, x0, yx, yy, y0;  ///< coordinates by pixels
  };
  const SamplerState linear{false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR}, border{false, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR},
      nearest{false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST}, mirrored{true, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR};
  const char* const kLinear = "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR";
  const char* const kBorder = "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR";
  const char* const kNearest = "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST";
  const char* const kMirrored = "CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR";
  // Numbers that floats hold, so that the coordinates are exact.
  const Sampling samplings[] = {
      {linear, kLinear, 0.375, 0, -3.25, 0, 0.75, -2.125},  {linear, kLinear, 1.625, 0, 0.25, 0, 1, 0.25},   {linear, kLinear, -0.75, 0, 70.125, 0, 1, 0.375},
      {linear, kLinear, 0.875, 0.0625, -4, 0.0625, 1, 3},   {linear, kLinear, 0, 1, 0.25, 1, 0, 0.125},      {border, kBorder, 0.625, 0, -5.5, 0, 1.25, -6.125},
      {nearest, kNearest, 0.375, 0, 0.0625, 0, 0.5, 0.125}, {nearest, kNearest, 1.75, 0, -9.125, 0, 1, 0.25}, {mirrored, kMirrored, 0.00390625, 0, -0.25, 0, 0.0078125, 0},
  };
  constexpr cl_image_format kFormats[] = {{CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_UNORM_INT8}, {CL_R, CL_UNORM_INT16}, {CL_R, CL_FLOAT}, {CL_RGBA, CL_UNORM_INT16}};
  // Of so many rows, groups may be made taller than they are asked for, where columns are all rows'.
  const std::string kStraight = "(float2)(m.s0 * x + m.s2, m.s4 * y + m.s5)", kTurned = "(float2)(m.s0 * x + m.s1 * y + m.s2, m.s3 * x + m.s4 * y + m.s5)";
  constexpr int kWidth = 256, kHeight = 72;
  for (const Sampling& s : samplings) {
    const Program program = session.build(std::string("constant sampler_t s = ") + s.bits + ";" +
        "kernel void k(read_only image2d_t image, global float4* out, float8 m) {"
        "  const float x = get_global_id(0), y = get_global_id(1);"
        "  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] ="
        "      read_imagef(image, s, " + (s.xy == 0 && s.yx == 0 ? kStraight : kTurned) + "); }");
    for (const cl_image_format& format : kFormats) {
      const ReferenceImage image = noise(format, 83, 41);
      const Mem from = upload(image);
      const Mem to = session.upload(std::vector<std::array<float, 4>>(std::size_t{kWidth} * kHeight));
      const cl_float8 m = {{static_cast<float>(s.xx), static_cast<float>(s.xy), static_cast<float>(s.x0), static_cast<float>(s.yx),
                            static_cast<float>(s.yy), static_cast<float>(s.y0)}};
      session.launch(session.kernel(program, "k"), {{kWidth, kHeight}, {32, 8}}, from, to, m);
      const auto got = session.download<std::array<float, 4>>(to, std::size_t{kWidth} * kHeight);
      for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
          const Color want = image.sample(s.sampler, {static_cast<float>(s.xx * x + s.xy * y + s.x0), static_cast<float>(s.yx * x + s.yy * y + s.y0)});
          for (int c = 0; c < 4; ++c)
            ASSERT_NEAR(got[std::size_t{1} * y * kWidth + x][c], want[c], 2e-5) << s.bits << ' ' << s.xx << ", pixel " << x << ' ' << y << " channel " << c;
        }
    }
  }
}

/// Slices that a row of work-items reads at places which differ in x alone: enlarged, reduced, mirrored, beyond the edges, in the middle of slices and
/// between them, in rows of which some work-items read nothing, and of images narrower than rows.
TEST_F(ImageRows, OfSlicesAreResampled) {
  NOT_ON_POCL("has another border for images without alpha");
  struct Sampling {
    SamplerState sampler;
    const char* bits;
    float scale, from;
  };
  const SamplerState edge{false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR}, border{false, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR}, repeated{true, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR};
  const char* const kEdge = "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR";
  const char* const kBorder = "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR";
  const char* const kRepeated = "CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR";
  const Sampling samplings[] = {{edge, kEdge, 0.375f, -3.25f},  {edge, kEdge, 0.9375f, 0.125f}, {edge, kEdge, 1.625f, 0.25f},
                                {edge, kEdge, -0.75f, 80.125f}, {border, kBorder, 0.625f, -5.5f}, {repeated, kRepeated, 0.0078125f, -0.125f}};
  constexpr cl_image_format kFormats[] = {{CL_R, CL_UNORM_INT8}, {CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_UNORM_INT16}, {CL_R, CL_FLOAT}};
  constexpr int kWidth = 128, kHeight = 16, kSteps = 3;
  for (const Sampling& s : samplings) {
    const Program program = session.build(std::string("constant sampler_t s = ") + s.bits + R"(;
        kernel void k(read_only image3d_t image, global float4* out, float scale, float from, float z) {
          const float2 at = convert_float2((int2)(get_global_id(0), get_global_id(1))) * (float2)(scale, 0.375f) + (float2)(from, -0.5f);
          float4 sum = 0;
          if (get_global_id(1) != 5 || get_global_id(0) % 3)
            for (int i = 0; i < 3; ++i) sum += read_imagef(image, s, (float4)(at.x, at.y + i, z + i * 0.25f + (get_global_id(1) & 1) * 0.125f, 0));
          out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
        })");
    for (const cl_image_format& format : kFormats)
      for (const auto& [width, local] : {std::pair{83, 32}, {83, 16}, {20, 32}, {33, 64}}) {
        const ReferenceImage image = noise(format, width, 11, 6);
        const Mem from = upload(image);
        const Mem to = session.upload(std::vector<std::array<float, 4>>(std::size_t{kWidth} * kHeight));
        constexpr float kZ = 1.25f;
        session.launch(session.kernel(program, "k"), {{kWidth, kHeight}, {static_cast<std::size_t>(local), 4}}, from, to, s.scale, s.from, kZ);
        const auto got = session.download<std::array<float, 4>>(to, std::size_t{kWidth} * kHeight);
        for (int y = 0; y < kHeight; ++y)
          for (int x = 0; x < kWidth; ++x) {
            Color want{};
            for (int i = 0; i < kSteps && (y != 5 || x % 3); ++i) {
              const auto step = static_cast<float>(i);
              const float z = kZ + step * 0.25f + static_cast<float>(y & 1) * 0.125f;
              const Color c = image.sample(s.sampler, {s.scale * static_cast<float>(x) + s.from, 0.375f * static_cast<float>(y) - 0.5f + step, z});
              for (int channel = 0; channel < 4; ++channel) want[channel] += c[channel];
            }
            for (int c = 0; c < 4; ++c)
              ASSERT_NEAR(got[std::size_t{1} * y * kWidth + x][c], want[c], 6e-5) << s.bits << ' ' << s.scale << ", width " << width << ", pixel " << x << ' ' << y << " channel " << c;
          }
      }
  }
}

/// What is added up and written is within 0.6 of a channel's step.
TEST_F(ImageRows, SumsAreWritten) {
  const Program program = session.build(
      "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
      "constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
      "#define SUM(name, sampler, reach, weight, factor) kernel void name(read_only image2d_t in, write_only image2d_t out) {\\\n"
      "  const int2 p = (int2)(get_global_id(0), get_global_id(1)); float4 sum = 0;\\\n"
      "  for (int y = -reach; y <= reach; ++y) for (int x = -reach; x <= reach; ++x) sum += weight * read_imagef(in, sampler, p + (int2)(x, y));\\\n"
      "  write_imagef(out, p, sum factor); }\n"
      "SUM(box, edge, 2, 1.0f, / 25.0f) SUM(bright, border, 1, (float)((2 - abs(x)) * (2 - abs(y))), * 0.09375f) SUM(wide, edge, 7, 1.0f, * (1.0f / 225))\n"
      "SUM(many, border, 9, 1.0f, / 361.0f) SUM(dark, edge, 1, 1.0f, * -0.25f)\n");
  struct Case {
    const char* name;
    bool edge;
    int reach;
    double factor;
  };
  for (const Case& c : {Case{"box", true, 2, 1 / 25.0}, Case{"bright", false, 1, 0.09375}, Case{"wide", true, 7, 1 / 225.0}, Case{"many", false, 9, 1 / 361.0}, Case{"dark", true, 1, -0.25}})
    for (const cl_image_format& format : {cl_image_format{CL_RGBA, CL_UNORM_INT8}, {CL_BGRA, CL_UNORM_INT8}, {CL_RGBA, CL_UNORM_INT16}}) {
      const double steps = format.image_channel_data_type == CL_UNORM_INT8 ? 255 : 65535;
      const ReferenceImage image = noise(format, 96, 40);
      const Mem from = upload(image), to = create(image.format, image_2d(96, 40, image.format).desc(), CL_MEM_WRITE_ONLY);
      session.launch(session.kernel(program, c.name), {{96, 40}, {32, 8}}, from, to);
      ReferenceImage got = image;
      const std::size_t origin[3] = {}, region[3] = {96, 40, 1};
      check(clEnqueueReadImage(queue, to, CL_TRUE, origin, region, 0, 0, got.bytes.data(), 0, nullptr, nullptr), "clEnqueueReadImage");
      for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 96; ++x) {
          Color sum{};
          for (int j = -c.reach; j <= c.reach; ++j)
            for (int i = -c.reach; i <= c.reach; ++i) {
              const Color tap = c.edge ? image.texel(std::clamp(x + i, 0, 95), std::clamp(y + j, 0, 39), 0, 0) : image.texel(x + i, y + j, 0, 0);
              const double weight = c.name[0] == 'b' && c.name[1] == 'r' ? (2 - std::abs(i)) * (2 - std::abs(j)) : 1;
              for (int k = 0; k < 4; ++k) sum[k] += weight * tap[k] * c.factor;
            }
          const Color have = got.texel(x, y, 0, 0);
          for (int k = 0; k < 4; ++k)
            ASSERT_NEAR(have[k] * steps, std::clamp(sum[k], 0.0, 1.0) * steps, 0.6) << c.name << ", pixel " << x << ' ' << y << " channel " << k;
        }
    }
}

}  // namespace
}  // namespace weft::conformance
