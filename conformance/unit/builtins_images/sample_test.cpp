// Reads through samplers: random formats, sizes, samplers and coordinates.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <new>
#include <span>

#include "common/image_reference.h"
#include "compiler/argument_formats.h"
#include "device/kernel_abi.h"
#include "random.h"

extern "C" void sample_f(const weft::abi::ImageDescriptor*, unsigned, unsigned, unsigned, const float*, float*);
extern "C" void sample_u(const weft::abi::ImageDescriptor*, unsigned, unsigned, unsigned, const float*, unsigned*);

namespace weft::test {
namespace {

using conformance::Color;
using conformance::Kind;
using conformance::ReferenceImage;
using conformance::SamplerState;

constexpr cl_channel_order kOrders[] = {CL_R,    CL_A,    CL_RG,        CL_RA,        CL_RGBA,  CL_BGRA,
                                        CL_ARGB, CL_ABGR, CL_INTENSITY, CL_LUMINANCE, CL_sRGBA, CL_sBGRA};
constexpr cl_channel_type kTypes[] = {CL_UNORM_INT8,   CL_SNORM_INT8,    CL_UNORM_INT16,    CL_SNORM_INT16,
                                      CL_SIGNED_INT8,  CL_SIGNED_INT16,  CL_SIGNED_INT32,   CL_UNSIGNED_INT8,
                                      CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT};
constexpr std::size_t kPadding = 16;  ///< bytes, as kImagePadded promises some

ReferenceImage random_image(Random& random) {
  ReferenceImage image{static_cast<Kind>(random(5)), {kOrders[random(std::size(kOrders))], kTypes[random(std::size(kTypes))]}, {1, 1, 1}, 1, {}};
  cl_channel_type& type = image.format.image_channel_data_type;
  if (image.format.image_channel_order == CL_sRGBA || image.format.image_channel_order == CL_sBGRA) type = CL_UNORM_INT8;
  for (int d = 0; d < dimensions_of(image.kind); ++d) image.size[d] = 1 + static_cast<int>(random(d == 2 ? 6 : 20));
  if (is_array(image.kind)) image.layers = 1 + static_cast<int>(random(5));
  const std::size_t texels = std::size_t{1} * image.size[0] * image.size[1] * image.size[2] * image.layers;
  image.bytes.resize(texels * image.texel_bytes() + kPadding);
  for (std::uint8_t& byte : image.bytes) byte = static_cast<std::uint8_t>(random(256));
  if (type == CL_FLOAT)
    for (std::size_t i = 0; i + 4 <= image.bytes.size(); i += 4) {
      const float value = static_cast<float>(random(1 << 20)) / (1 << 18) - 2;
      std::memcpy(&image.bytes[i], &value, 4);
    }
  if (type == CL_HALF_FLOAT)  // magnitudes below 5
    for (std::size_t i = 1; i < image.bytes.size(); i += 2) image.bytes[i] = static_cast<std::uint8_t>(random(0x44) | random(2) << 7);
  return image;
}

SamplerState random_sampler(Random& random, bool linear_allowed) {
  constexpr cl_addressing_mode kModes[] = {CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
  SamplerState sampler;
  sampler.normalized = random(2);
  sampler.addressing = kModes[random(sampler.normalized ? 4 : 2)];
  sampler.filter = linear_allowed && random(2) ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
  return sampler;
}

unsigned bits_of(const SamplerState& sampler) {
  const unsigned addressing = sampler.addressing == CL_ADDRESS_CLAMP           ? abi::kSamplerClamp
                              : sampler.addressing == CL_ADDRESS_CLAMP_TO_EDGE ? abi::kSamplerClampToEdge
                              : sampler.addressing == CL_ADDRESS_REPEAT        ? abi::kSamplerRepeat
                                                                               : abi::kSamplerMirroredRepeat;
  return (sampler.normalized ? abi::kSamplerNormalized : 0u) | addressing |
         (sampler.filter == CL_FILTER_LINEAR ? abi::kSamplerLinear : abi::kSamplerNearest);
}

/// From two texels before the image to two behind, further where it repeats. Normalized ones keep off texels' edges, where rounding
/// decides.
float random_coordinate(Random& random, const SamplerState& sampler, int size) {
  const bool repeats = sampler.addressing == CL_ADDRESS_REPEAT || sampler.addressing == CL_ADDRESS_MIRRORED_REPEAT;
  const auto range = static_cast<std::uint32_t>(64 * (repeats ? 3 * size : size + 4));
  const double u = (random(range) + (sampler.normalized ? 0.5 : 0.0)) / 64 - (repeats ? size : 2);
  return static_cast<float>(sampler.normalized ? u / size : u);
}

TEST(SampledImages, AreTheFormulas) {
  Random random;
  for (int round = 0; round < 5000; ++round) {
    ReferenceImage image = random_image(random);
    const cl_channel_type type = image.format.image_channel_data_type;
    const SamplerState sampler = random_sampler(random, !conformance::is_integer(type));
    const auto pitch = static_cast<std::uint64_t>(image.size[0] * image.texel_bytes());
    abi::ImageDescriptor descriptor{};
    descriptor.base = {reinterpret_cast<std::byte*>(image.bytes.data()), pitch, pitch * static_cast<std::uint64_t>(image.size[1]),
                       static_cast<std::uint32_t>(image.size[0]), static_cast<std::uint32_t>(image.size[1]),
                       static_cast<std::uint32_t>(image.size[2]), 0};
    descriptor.layers = static_cast<std::uint32_t>(image.layers);
    std::uint32_t traits = random(2) ? compiler::kFormatPadded : 0u;
    if (image.size[0] > 1 && random(2)) traits |= compiler::kFormatSmall;
    const std::uint32_t word = compiler::image_format_word(image.format.image_channel_order, type, traits);
    constexpr unsigned kKinds[] = {0, 2, 3, 4, 5};  // WeftKind, which has buffers too
    for (int k = 0; k < 50; ++k) {
      std::array<float, 4> at{};
      const int dimensions = dimensions_of(image.kind);
      for (int d = 0; d < dimensions; ++d) at[d] = random_coordinate(random, sampler, image.size[d]);
      if (is_array(image.kind)) at[dimensions] = static_cast<float>(random(static_cast<std::uint32_t>(image.layers) + 2)) - 0.75f;
      const Color want = image.sample(sampler, at);
      float reals[4];
      unsigned integers[4];
      const unsigned kind = kKinds[static_cast<int>(image.kind)];
      if (conformance::is_integer(type)) sample_u(&descriptor, word, bits_of(sampler), kind, at.data(), integers);
      else sample_f(&descriptor, word, bits_of(sampler), kind, at.data(), reals);
      for (int c = 0; c < 4; ++c) {
        const double got = !conformance::is_integer(type)           ? reals[c]
                           : conformance::is_unsigned_integer(type) ? integers[c]
                                                                    : static_cast<double>(static_cast<std::int32_t>(integers[c]));
        const double tolerance = conformance::is_integer(type) ? 0 : sampler.filter == CL_FILTER_LINEAR ? 2e-5 : 2e-7;
        ASSERT_NEAR(got, want[c], tolerance * std::max(1.0, std::fabs(want[c])))
            << std::hex << "order " << image.format.image_channel_order << " type " << type << " sampler " << bits_of(sampler)
            << std::dec << " kind " << kind << " size " << image.size[0] << ' ' << image.size[1] << ' ' << image.size[2] << " at "
            << at[0] << ' ' << at[1] << ' ' << at[2] << " channel " << c;
      }
    }
  }
}

/// Memory between two pages that nobody may read.
class Between {
 public:
  static constexpr std::size_t kBytes = 1 << 18, kPage = 4096;
  Between() {
    pages_ = static_cast<std::byte*>(mmap(nullptr, kBytes + 2 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (pages_ == MAP_FAILED || mprotect(pages_ + kPage, kBytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  ~Between() { munmap(pages_, kBytes + 2 * kPage); }
  Between(const Between&) = delete;
  Between& operator=(const Between&) = delete;

  /// A copy of the bytes, behind the first of these pages or before the second.
  std::byte* copy(std::span<const std::uint8_t> bytes, bool at_end) {
    if (bytes.size() > kBytes) throw std::bad_alloc();
    std::byte* at = pages_ + kPage + (at_end ? kBytes - bytes.size() : 0);
    std::memcpy(at, bytes.data(), bytes.size());
    return at;
  }

 private:
  std::byte* pages_;
};

TEST(SampledImages, NoCoordinateIsOutOfReach) {
  Random random;
  Between memory;
  const float kFar[] = {1e30f, -1e30f, HUGE_VALF, -HUGE_VALF, NAN, 2147483648.0f, -2147483904.0f, 1e-30f, -1e-30f, 16777216.0f};
  for (int round = 0; round < 2000; ++round) {
    const ReferenceImage image = random_image(random);
    const SamplerState sampler = random_sampler(random, true);
    const auto pitch = static_cast<std::uint64_t>(image.size[0] * image.texel_bytes());
    abi::ImageDescriptor descriptor{};
    descriptor.base = {memory.copy(std::span(image.bytes).first(image.bytes.size() - kPadding), random(2)), pitch,
                       pitch * static_cast<std::uint64_t>(image.size[1]), static_cast<std::uint32_t>(image.size[0]),
                       static_cast<std::uint32_t>(image.size[1]), static_cast<std::uint32_t>(image.size[2]), 0};
    descriptor.layers = static_cast<std::uint32_t>(image.layers);
    const std::uint32_t word = compiler::image_format_word(image.format.image_channel_order, image.format.image_channel_data_type,
                                                           image.size[0] > 1 ? compiler::kFormatSmall : 0u);
    constexpr unsigned kKinds[] = {0, 2, 3, 4, 5};
    for (int k = 0; k < 20; ++k) {
      std::array<float, 4> at{};
      for (float& each : at) each = kFar[random(std::size(kFar))];
      float color[4];
      sample_f(&descriptor, word, bits_of(sampler), kKinds[static_cast<int>(image.kind)], at.data(), color);  // may not fault
    }
  }
}

}  // namespace
}  // namespace weft::test
