// Functions of one byte: launches of many work-items and of few give the same bits, whichever way an implementation computes them.
#include <cmath>

#include "api/images.h"

namespace weft::conformance {
namespace {

constexpr std::size_t kItems = 1 << 15, kFew = 512;

class ByteFunctions : public ImageApiTest {
 protected:
  static std::vector<cl_uchar> noise(std::size_t count) {
    std::vector<cl_uchar> values(count);
    std::uint32_t state = 3;
    for (cl_uchar& value : values) {
      state = state * 1664525u + 1013904223u;
      value = static_cast<cl_uchar>(state >> 23);
    }
    return values;
  }

  /// `body` computes o[i], of 4 bytes, of a[i], of 4, and a number.
  void check(const std::string& before, const std::string& body, std::vector<cl_float> amounts = {2.2f, 0.45f, 0.0f}) {
    const Program program = session.build(before + "kernel void k(global const uchar4* a, global uint* o, float x) { const size_t i = get_global_id(0);" +
                                          body + "}");
    const Kernel kernel = session.kernel(program, "k");
    const Mem a = session.upload(noise(4 * kItems));
    for (const cl_float amount : amounts) {
      const Mem many = session.buffer(4 * kItems), few = session.buffer(4 * kItems);
      session.launch(kernel, {{kItems}, {64}, {}}, a, many, amount);
      set_args(kernel, a, few, amount);
      for (std::size_t at = 0; at < kItems; at += kFew) {
        const std::size_t size = kFew, local = 64;
        ASSERT_EQ(clEnqueueNDRangeKernel(session.queue(), kernel, 1, &at, &size, &local, 0, nullptr, nullptr), CL_SUCCESS);
      }
      EXPECT_EQ(session.download<cl_uint>(many, kItems), session.download<cl_uint>(few, kItems)) << amount;
    }
  }
};

TEST_F(ByteFunctions, Powers) { check("", "o[i] = as_uint(powr(a[i].x * (1.0f / 255.0f), x));"); }

TEST_F(ByteFunctions, OfEachElement) {
  check("", "o[i] = as_uint(convert_uchar4_sat_rte(255.0f * pow(convert_float4(a[i]) / 255.0f, x)));");
}

TEST_F(ByteFunctions, SeveralOfOne) {
  check("", "const float t = x * a[i].y * 0.02f; o[i] = as_uint(convert_uchar4_sat_rte(127.5f + 127.5f * (float4)(cos(t), sin(t), cos(t + 4.2f), exp(-t))));");
}

TEST_F(ByteFunctions, BranchesOfTheByte) {
  check("", "const float t = a[i].x / 255.0f; float s = t; if (t > 0.04045f) s = powr((t + 0.055f) / 1.055f, x); else s = t / 12.92f; o[i] = as_uint(s);");
}

TEST_F(ByteFunctions, BranchesOfOthers) {
  check("", "const float t = a[i].x / 255.0f; float s = 0; if (a[i].y > 99) s = log(t + 1 + x); else if (i % 3) s = exp(t * x); o[i] = as_uint(s);");
}

TEST_F(ByteFunctions, OfTwoBytes) { check("", "o[i] = as_uint(powr(a[i].x / 255.0f, a[i].y / 100.0f) + sin(a[i].x * x));"); }

TEST_F(ByteFunctions, UnderABound) { check("", "if (i > 77) o[i] = as_uint(tanh(x * a[i].z)); else o[i] = 3;", {0.01f}); }

TEST_F(ByteFunctions, WithoutNumbers) { check("", "o[i] = as_uint(log(a[i].x * x) + sqrt(a[i].x - 100.0f)) & 0x7fffffff;", {0.0f, -1.0f, INFINITY, NAN}); }

TEST_F(ByteFunctions, OfWordsThatAreBytes) {
  check("", "const uint w = as_uint(a[i]); o[i] = as_uint(exp2((w >> 24) * x * 0.01f) + native_sin((float)((w >> 8 & 127) * 0.1f)));", {1.0f});
}

TEST_F(ByteFunctions, OfSignedBytes) {
  check("", "const char c = as_char4(a[i]).x; o[i] = as_uint(exp(c * x * 0.01f) + cos((float)c));", {1.0f});
}

TEST_F(ByteFunctions, InALoop) {
  check("", "float s = 0; for (int k = 0; k < 4; ++k) s += powr(((global const uchar*)a)[4 * i + k] / 255.0f, x); o[i] = as_uint(s);");
}

TEST_F(ByteFunctions, DivisionsThatSomeBytesCannotDo) {
  check("", "const uchar b = a[i].x | 1; const float t = (float)(1000 / b) * x + (float)b; o[i] = as_uint(exp(t * 1e-3f) + tan(t));");
}

TEST_F(ByteFunctions, ColourTables) {
  const char* const source = R"(
constant sampler_t whole = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t unit = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void k(read_only image2d_t in, read_only image1d_t table, write_only image2d_t out, int2 origin) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1)) + origin;
  write_imagef(out, p, read_imagef(table, unit, read_imagef(in, whole, p).x));
})";
  const Program program = session.build(source);
  const Kernel kernel = session.kernel(program, "k");
  std::vector<cl_uchar> texels = noise(256 * 128), colors = noise(4 * 256);
  const ImageSpec gray = image_2d(256, 128, {CL_R, CL_UNORM_INT8}, 1), rgba = image_2d(256, 128, {CL_RGBA, CL_UNORM_INT8});
  const ImageSpec line{CL_MEM_OBJECT_IMAGE1D, {256, 1, 1}, {CL_RGBA, CL_UNORM_INT8}, 4};
  const Mem in = create(gray.format, gray.desc(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, texels.data());
  const Mem table = create(line.format, line.desc(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, colors.data());
  std::vector<cl_uint> results[2];
  for (int few = 0; few < 2; ++few) {
    const Mem out = create(rgba.format, rgba.desc());
    const std::size_t size[2] = {few ? 32u : 256u, few ? 8u : 128u}, local[2] = {32, 8};
    for (std::size_t y = 0; y < 128; y += size[1])
      for (std::size_t x = 0; x < 256; x += size[0]) {
        set_args(kernel, in, table, out, cl_int2{{static_cast<cl_int>(x), static_cast<cl_int>(y)}});
        ASSERT_EQ(clEnqueueNDRangeKernel(session.queue(), kernel, 2, nullptr, size, local, 0, nullptr, nullptr), CL_SUCCESS);
      }
    results[few].resize(256 * 128);
    const std::size_t origin[3] = {}, region[3] = {256, 128, 1};
    ASSERT_EQ(clEnqueueReadImage(session.queue(), out, CL_TRUE, origin, region, 0, 0, results[few].data(), 0, nullptr, nullptr), CL_SUCCESS);
  }
  EXPECT_EQ(results[0], results[1]);
}

// The next launch's arguments are others; so are tables that another launch has meanwhile.
TEST_F(ByteFunctions, LaunchesInTurn) {
  const Program program = session.build(R"(
kernel void k(global const uchar* a, global float* o, float x) { const size_t i = get_global_id(0); o[i] = powr(a[i] / 255.0f, x); }
kernel void l(global const uchar* a, global float* o, float x) { const size_t i = get_global_id(0); o[i] = sinpi(a[i] * x); })");
  const Kernel kernels[] = {session.kernel(program, "k"), session.kernel(program, "l")};
  const Mem a = session.upload(noise(kItems));
  std::vector<Mem> outs;
  for (int i = 0; i < 16; ++i) {
    outs.push_back(session.buffer(4 * kItems));
    set_args(kernels[i / 2 % 2], a, outs.back(), cl_float(i % 4) * 0.7f + 0.3f);
    const std::size_t size = kItems, local = 64;
    ASSERT_EQ(clEnqueueNDRangeKernel(session.queue(), kernels[i / 2 % 2], 1, nullptr, &size, &local, 0, nullptr, nullptr), CL_SUCCESS);
  }
  for (int i = 4; i < 16; ++i) EXPECT_EQ(session.download<cl_uint>(outs[i], kItems), session.download<cl_uint>(outs[i - 4], kItems)) << i;
  EXPECT_NE(session.download<cl_uint>(outs[0], kItems), session.download<cl_uint>(outs[1], kItems));
}

}  // namespace
}  // namespace weft::conformance
