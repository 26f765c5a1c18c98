// Colours to texels: saturation, rounding to nearest even, orders (OpenCL C 3.0 §8.3).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "common/image_reference.h"
#include "compiler/argument_formats.h"
#include "random.h"

extern "C" void encode_f(const float*, unsigned, unsigned*);
extern "C" void encode_i(const int*, unsigned, unsigned*);
extern "C" void encode_u(const unsigned*, unsigned, unsigned*);

namespace weft::test {
namespace {

using conformance::ReferenceImage;

constexpr cl_channel_order kOrders[] = {CL_R, CL_A, CL_RG, CL_RA, CL_RGBA, CL_BGRA, CL_ARGB, CL_ABGR, CL_INTENSITY, CL_LUMINANCE};

/// What a texel of `words` is read as.
conformance::Color read_back(cl_channel_order order, cl_channel_type type, const unsigned* words) {
  ReferenceImage image{conformance::Kind::k1D, {order, type}, {1, 1, 1}, 1, {}};
  image.bytes.resize(16);
  std::memcpy(image.bytes.data(), words, 16);
  return image.texel(0, 0, 0, 0);
}

/// Which components of a colour an order keeps.
unsigned kept(cl_channel_order order) {
  switch (order) {
    case CL_R: case CL_INTENSITY: case CL_LUMINANCE: return 1;
    case CL_A: return 8;
    case CL_RG: return 3;
    case CL_RA: return 9;
    default: return 15;
  }
}

double stored(float x, cl_channel_type type) {
  const auto step = [x](float most, double low) {
    const float scaled = x * most;
    return std::isnan(x) ? 0.0 : std::fmin(std::fmax(std::nearbyint(static_cast<double>(scaled)), low), most);
  };
  switch (type) {
    case CL_UNORM_INT8: return step(255, 0) / 255;
    case CL_UNORM_INT16: return step(65535, 0) / 65535;
    case CL_SNORM_INT8: return std::fmax(step(127, -128) / 127, -1);
    case CL_SNORM_INT16: return std::fmax(step(32767, -32768) / 32767, -1);
    case CL_HALF_FLOAT: return static_cast<double>(static_cast<_Float16>(x));
    default: return x;
  }
}

TEST(EncodedColors, ComeBackAsTheFormatHasThem) {
  Random random;
  constexpr cl_channel_type kTypes[] = {CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16, CL_HALF_FLOAT, CL_FLOAT};
  const float kSpecial[] = {0, -0.0f, 1, -1, 0.5f / 255, 1.5f / 255, 2.5f / 255, -0.5f / 127, 300, -300, HUGE_VALF, -HUGE_VALF, NAN, 1e30f};
  for (int round = 0; round < 100000; ++round) {
    const cl_channel_order order = kOrders[random(std::size(kOrders))];
    const cl_channel_type type = kTypes[random(std::size(kTypes))];
    float color[4];
    for (float& c : color) {
      c = random(3) ? static_cast<float>(random(1 << 24)) / (1 << 23) * 1.5f - 1.5f : kSpecial[random(std::size(kSpecial))];
    }
    unsigned words[4];
    encode_f(color, compiler::image_format_word(order, type, 0), words);
    const conformance::Color got = read_back(order, type, words);
    for (int c = 0; c < 4; ++c) {
      if (!(kept(order) >> c & 1)) continue;
      const double want = stored(color[c], type);
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(got[c]) || type == CL_HALF_FLOAT);
        continue;
      }
      if (std::isinf(want)) continue;  // the reference reads halves without infinities
      ASSERT_EQ(got[c], want) << std::hex << order << ' ' << type << std::dec << " of " << color[c];
    }
  }
}

TEST(EncodedColors, IntegersSaturate) {
  Random random;
  for (int round = 0; round < 20000; ++round) {
    int color[4];
    unsigned magnitudes[4], words[4];
    for (int c = 0; c < 4; ++c) {
      const int shift = static_cast<int>(random(31));
      color[c] = static_cast<int>((random(1u << 31) | random(2) << 31)) >> shift;
      magnitudes[c] = static_cast<unsigned>(color[c]);
    }
    const auto check = [&](cl_channel_type type, double value, double low, double high, int c) {
      ASSERT_EQ(read_back(CL_RGBA, type, words)[c], std::fmin(std::fmax(value, low), high)) << std::hex << type;
    };
    for (const auto& [type, high] : {std::pair(CL_SIGNED_INT8, 127.0), std::pair(CL_SIGNED_INT16, 32767.0), std::pair(CL_SIGNED_INT32, 2147483647.0)}) {
      encode_i(color, compiler::image_format_word(CL_RGBA, type, 0), words);
      for (int c = 0; c < 4; ++c) check(type, color[c], -high - 1, high, c);
    }
    for (const auto& [type, high] : {std::pair(CL_UNSIGNED_INT8, 255.0), std::pair(CL_UNSIGNED_INT16, 65535.0), std::pair(CL_UNSIGNED_INT32, 4294967295.0)}) {
      encode_u(magnitudes, compiler::image_format_word(CL_RGBA, type, 0), words);
      for (int c = 0; c < 4; ++c) check(type, magnitudes[c], 0, high, c);
    }
  }
}

TEST(EncodedColors, SrgbIsWithinSixTenthsOfAStep) {
  for (int i = 0; i <= 100000; ++i) {
    const float linear = static_cast<float>(i) / 100000;
    const float color[4] = {linear, linear, linear, linear};
    unsigned words[4];
    encode_f(color, compiler::image_format_word(CL_sRGBA, CL_UNORM_INT8, 0), words);
    const double exact = 255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
    ASSERT_NEAR(words[0] & 0xff, exact, 0.6) << linear;
    ASSERT_NEAR(words[0] >> 24, 255 * linear, 0.5001) << linear;
  }
}

}  // namespace
}  // namespace weft::test
