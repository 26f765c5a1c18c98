#include "compiler/fuzz/image_kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "device/kernel_abi.h"

namespace weft::fuzz {
namespace {

using compiler::ArgAccess;
using compiler::ImageShape;

std::string number(int value) { return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value); }

std::string number(float value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%af", static_cast<double>(value));
  return value < 0 || std::signbit(value) ? std::string("(") + buffer + ")" : buffer;
}

IntTerm constant(int value) {
  return {number(value), [value](const Item&) { return value; }};
}

template <typename F>
IntTerm join(const IntTerm& a, const char* operation, const IntTerm& b, F compute) {
  return {"(" + a.text + " " + operation + " " + b.text + ")",
          [a = a.of, b = b.of, compute](const Item& item) { return compute(a(item), b(item)); }};
}
IntTerm sum(const IntTerm& a, const IntTerm& b) {
  return join(a, "+", b, [](int x, int y) { return x + y; });
}

class Maker {
 public:
  Maker(ImageKernel& kernel, std::uint64_t seed) : kernel_(kernel), random_(seed * 2 + 1) {}

  void make() {
    const unsigned images = random_.chance(65) ? 1 : 2;
    for (unsigned i = 0; i < images; ++i) {
      make_image(random_.weighted({70, 20, 10}));
      const ArgAccess access = kernel_.images.back().access;
      // Of an image that is written too, a work-item reads its own texel alone, before.
      const bool writes = access == ArgAccess::kWriteOnly || (access == ArgAccess::kReadWrite && random_.chance(60));
      if (writes) make_write(i);
      if (access == ArgAccess::kReadWrite && writes) {
        ImageRead read;
        read.image = i;
        read.integers = kernel_.writes.back().at;
        kernel_.reads.push_back(std::move(read));
      } else if (!writes) {
        // Code for any format is large at each read.
        const unsigned reads = kernel_.images.back().is_known ? random_.between(1, 2) : 1;
        for (unsigned read = 0; read < reads; ++read) make_read(i);
      }
    }
    kernel_.source = text_of(kernel_);
  }

 private:
  // ---- arguments ----

  void make_image(std::size_t access) {
    ImageArgument argument;
    argument.name = "i" + std::to_string(kernel_.images.size());
    argument.access = access == 0 ? ArgAccess::kReadOnly : access == 1 ? ArgAccess::kWriteOnly : ArgAccess::kReadWrite;
    ReferenceImage& image = argument.image;
    image.shape = random_.of({ImageShape::k1D, ImageShape::k1DArray, ImageShape::k1DBuffer, ImageShape::k2D, ImageShape::k2D,
                              ImageShape::k2D, ImageShape::k2D, ImageShape::k2DArray, ImageShape::k3D, ImageShape::k3D});
    const bool may_be_depth = image.shape == ImageShape::k2D || image.shape == ImageShape::k2DArray;
    do {
      image.format = texel_formats()[random_.below(texel_formats().size())];
    } while (image.format.is_depth() && !may_be_depth);
    const auto extent = [&] { return static_cast<int>(random_.weighted({10, 30, 40, 20})); };
    const auto length = [&](int kind) {
      return kind == 0 ? static_cast<int>(random_.between(1, 3))
             : kind == 1 ? static_cast<int>(random_.between(4, 20))
             : kind == 2 ? static_cast<int>(random_.between(21, 90))
                         : static_cast<int>(random_.of({32u, 64u, 128u, 200u}));
    };
    image.size[0] = length(extent());
    if (image.dimensions() >= 2) image.size[1] = std::min(length(extent()), 100);
    if (image.dimensions() == 3) image.size[2] = static_cast<int>(random_.between(1, 9));
    if (image.is_array()) image.layers = static_cast<int>(random_.between(1, 6));
    argument.is_padded = image.shape != ImageShape::k1DBuffer && random_.chance(60);
    const std::size_t texel = image.format.bytes();
    image.row_pitch = static_cast<std::size_t>(image.size[0]) * texel;
    if (!argument.is_padded && image.shape != ImageShape::k1DBuffer && random_.chance(60))
      image.row_pitch += random_.between(1, 40) * texel;
    // As the runtime lays out its own: long rows begin at lines.
    if (argument.is_padded && image.row_pitch >= 512) image.row_pitch = (image.row_pitch + 63) / 64 * 64;
    image.slice_pitch = image.row_pitch * static_cast<std::size_t>(image.size[1]);
    if (!argument.is_padded && random_.chance(30)) image.slice_pitch += random_.between(1, 3) * image.row_pitch;
    if (!argument.is_padded && texel > 1 && random_.chance(10)) argument.misplaced = texel / 2;
    argument.is_known = random_.chance(85);
    kernel_.images.push_back(argument);
  }

  /// One that fits reads with floats or integers, of a format's kind; returns its bits.
  std::uint32_t make_sampler(const ReferenceImage& image, bool with_floats) {
    SamplerArgument sampler;
    sampler.name = "s" + std::to_string(kernel_.samplers.size());
    const bool normalized = with_floats && random_.chance(50);
    const bool linear = with_floats && !image.format.is_integer() && random_.chance(55);
    using namespace abi;
    std::uint32_t mode = random_.of({kSamplerClampToEdge, kSamplerClampToEdge, kSamplerClamp, kSamplerClamp, kSamplerNone});
    if (normalized && random_.chance(45)) mode = random_.of({kSamplerRepeat, kSamplerMirroredRepeat});
    sampler.bits = (normalized ? kSamplerNormalized : 0u) | mode | (linear ? kSamplerLinear : kSamplerNearest);
    sampler.is_literal = random_.chance(60);
    sampler.is_known = random_.chance(85);
    kernel_.samplers.push_back(sampler);
    return sampler.bits;
  }

  // ---- coordinates ----

  IntTerm id(int d) {
    return {std::string(1, "xyz"[d]), [d](const Item& item) { return item.global[d]; }};
  }

  /// Near [0, n) for an image's axis d of that length.
  IntTerm integer(int d, int n, const std::string& query, bool taps) {
    const int axis = random_.chance(85) ? d : static_cast<int>(random_.below(3));
    const IntTerm x = id(axis);
    const int shift = static_cast<int>(random_.between(0, 8)) - 3;
    IntTerm term;
    switch (random_.weighted({8, 8, 34, 10, 14, 8, 8, 5, 5})) {
      case 0: term = constant(static_cast<int>(random_.below(static_cast<unsigned>(n + 6))) - 3); break;
      case 1:
        term = random_.chance(50) ? IntTerm{"g" + std::string(1, "xyz"[axis]), [axis](const Item& item) { return item.group[axis]; }}
                                  : IntTerm{"m", [](const Item&) { return kValueArgument; }};
        term = sum(term, constant(shift));
        break;
      case 2: term = sum(x, constant(shift)); break;
      case 3: {
        const int stride = random_.of({2, 3, -1, -2, 5});
        term = sum(join(x, "*", constant(stride), [](int a, int b) { return a * b; }), constant(stride < 0 ? n : shift));
        break;
      }
      case 4: {  // scattered: a hash of all ids, with a part outside
        const unsigned factor = random_.between(1, 60000) * 2 + 1, down = random_.between(3, 9);
        const unsigned range = static_cast<unsigned>(n) + 8;
        term = {"(int)(((uint)(item + 7) * " + std::to_string(factor) + "u >> " + std::to_string(down) + ") % " + std::to_string(range) +
                    "u) - 4",
                [=](const Item& item) {
                  return static_cast<int>((static_cast<std::uint32_t>(item.linear() + 7) * factor >> down) % range) - 4;
                }};
        term.text = "(" + term.text + ")";
        break;
      }
      case 5:  // inside by a remainder
        term = join(sum(x, constant(std::abs(shift))), "%", constant(n), [](int a, int b) { return a % b; });
        break;
      case 6: {  // inside by bounds
        const IntTerm inner = sum(x, constant(shift));
        term = {"clamp(" + inner.text + ", 0, " + std::to_string(n - 1) + ")",
                [inner = inner.of, n](const Item& item) { return std::clamp(inner(item), 0, n - 1); }};
        break;
      }
      case 7: term = {"l" + std::string(1, "xyz"[axis]), [axis](const Item& item) { return item.local[axis]; }}; break;
      default:
        term = query.empty() ? x : join({query, [n](const Item&) { return n; }}, "-", sum(x, constant(1)), [](int a, int b) { return a - b; });
        break;
    }
    if (taps && d < 2) {
      const bool along_x = d == 0;
      const IntTerm tap{along_x ? "tx" : "ty", [along_x](const Item& item) { return along_x ? item.tap_x : item.tap_y; }};
      const int reach = static_cast<int>(random_.below(3));
      term = sum(term, join(tap, "-", constant(reach), [](int a, int b) { return a - b; }));
    }
    return term;
  }

  FloatTerm real(int d, int n, bool normalized, const std::string& query, bool taps) {
    const IntTerm base = integer(d, n, query, taps);
    const float scale = random_.of({1.0f, 1.0f, 1.0f, 1.0f, 0.5f, 0.25f, 2.0f, 1.5f, 0.75f, 0.125f, -1.0f});
    const float offset = random_.of({0.0f, 0.5f, 0.5f, 0.5f, 0.25f, -0.5f, 0x1.fffffep-2f, 0x1.000002p-1f, 0.75f, 0.001f, 0.999f, -0.375f});
    FloatTerm term{"((float)" + base.text + " * " + number(scale) + " + " + number(offset) + ")",
                   [of = base.of, scale, offset](const Item& item) {
                     const float product = static_cast<float>(of(item)) * scale;
                     return product + offset;
                   }};
    if (!normalized) return random_.chance(4) ? far_outside(term) : term;
    const float length = static_cast<float>(n);
    if (random_.chance(60)) {
      term = {"(" + term.text + " / " + number(length) + ")", [of = term.of, length](const Item& item) { return of(item) / length; }};
    } else {
      const float inverse = 1.0f / length;
      term = {"(" + term.text + " * " + number(inverse) + ")", [of = term.of, inverse](const Item& item) { return of(item) * inverse; }};
    }
    return random_.chance(4) ? far_outside(term) : term;
  }

  FloatTerm far_outside(const FloatTerm& term) {
    const float factor = random_.of({1000.0f, 0x1p20f, 0x1p40f, 1e30f, -1e30f});
    return {"(" + term.text + " * " + number(factor) + ")", [of = term.of, factor](const Item& item) { return of(item) * factor; }};
  }

  std::optional<IntTerm> condition(unsigned percent) {
    if (!random_.chance(percent)) return std::nullopt;
    switch (random_.below(3)) {
      case 0: return IntTerm{"(x >> 1)", [](const Item& item) { return item.global[0] >> 1; }};
      case 1: return IntTerm{"(gx + 1)", [](const Item& item) { return item.group[0] + 1; }};
      default:
        return IntTerm{"((uint)item * 2654435761u >> 9)",
                       [](const Item& item) { return static_cast<int>(static_cast<std::uint32_t>(item.linear()) * 2654435761u >> 9); }};
    }
  }

  // ---- statements ----

  std::string query(const ImageArgument& image, int d) const {
    const char* names[] = {"get_image_width(", "get_image_height(", "get_image_depth("};
    return names[d] + image.name + ")";
  }

  void make_read(std::size_t index) {
    const ImageArgument& argument = kernel_.images[index];
    const ReferenceImage& image = argument.image;
    ImageRead read;
    read.image = index;
    const bool no_sampler = argument.access == ArgAccess::kReadWrite || image.shape == ImageShape::k1DBuffer || random_.chance(12);
    read.with_floats = !no_sampler && random_.chance(75);
    if (!no_sampler) read.sampler = make_sampler(image, read.with_floats);
    const bool is_known = argument.is_known && (no_sampler || kernel_.samplers.back().is_literal || kernel_.samplers.back().is_known);
    const bool taps = is_known && random_.chance(40);
    if (taps) {
      read.taps_x = static_cast<int>(random_.between(2, 5));
      read.taps_y = image.dimensions() >= 2 ? static_cast<int>(random_.between(1, read.taps_x > 3 ? 2 : 3)) : 1;
      if (random_.chance(20))
        read.row = IntTerm{"min(" + std::to_string(read.taps_x) + ", 1 + (x & 3))",
                           [most = read.taps_x](const Item& item) { return std::min(most, 1 + (item.global[0] & 3)); }};
      else if (random_.chance(20))
        read.row = IntTerm{"min(" + std::to_string(read.taps_x) + ", m)",
                           [most = read.taps_x](const Item&) { return std::min(most, int{kValueArgument}); }};
    }
    const bool normalized = read.sampler != kNoSampler && (read.sampler & abi::kSamplerNormalized);
    for (int d = 0; d < image.dimensions(); ++d) {
      if (read.with_floats) {
        read.floats.push_back(real(d, image.size[d], normalized, query(argument, d), taps));
      } else {
        read.integers.push_back(integer(d, image.size[d], query(argument, d), taps));
      }
    }
    if (image.is_array()) {
      const int layers = image.layers;
      const IntTerm layer = integer(2, layers, "", false);
      const float part = random_.of({0.0f, 0.25f, 0.5f, -0.5f, 0.75f});
      if (read.with_floats) {
        read.floats.push_back({"((float)" + layer.text + " + " + number(part) + ")",
                               [of = layer.of, part](const Item& item) { return static_cast<float>(of(item)) + part; }});
      } else {
        read.integers.push_back(layer);
      }
    }
    read.condition = condition(25);
    if (!image.format.is_depth() && random_.chance(35)) read.component = static_cast<int>(random_.below(4));
    read.by_item = random_.chance(30);
    kernel_.reads.push_back(std::move(read));
  }

  /// Ids mapped one to one.
  IntTerm own(const IntTerm& x, int n) {
    const int shift = static_cast<int>(random_.between(0, 6)) - 3;
    switch (random_.below(4)) {
      case 0: return join(constant(n - 1), "-", x, [](int a, int b) { return a - b; });
      case 1: return join(x, "^", constant(static_cast<int>(random_.between(1, 31))), [](int a, int b) { return a ^ b; });
      case 2: return sum(x, constant(shift));
      default: return x;
    }
  }

  void make_write(std::size_t index) {
    const ReferenceImage& image = kernel_.images[index].image;
    ImageWrite write;
    write.image = index;
    const int coordinates = image.dimensions() + image.is_array();
    const int lengths[3] = {image.size[0], image.dimensions() >= 2 ? image.size[1] : image.layers,
                            image.dimensions() == 3 ? image.size[2] : image.layers};
    if (coordinates == 1) {
      write.at.push_back(own({"item", [](const Item& item) { return item.linear(); }}, lengths[0]));
    } else if (coordinates == 2) {
      std::array<IntTerm, 2> ids{id(0), IntTerm{"(y + (int)get_global_size(1) * z)",
                                                [](const Item& item) { return item.global[1] + item.global_size[1] * item.global[2]; }}};
      if (random_.chance(20)) std::swap(ids[0], ids[1]);
      for (int d = 0; d < 2; ++d) write.at.push_back(own(ids[d], lengths[d]));
    } else {
      for (int d = 0; d < 3; ++d) write.at.push_back(own(id(d), lengths[d]));
    }
    for (int i = 0; i < (image.format.is_depth() ? 1 : 4); ++i) {
      const IntTerm term = integer(static_cast<int>(random_.below(2)), 40, "", false);
      if (image.format.is_integer()) {
        const int factor = random_.of({1, 3, 100, 12345, 1 << 20});
        write.integers.push_back({"(int)((uint)" + term.text + " * " + std::to_string(factor) + "u)", [of = term.of, factor](const Item& item) {
                                    return static_cast<std::int32_t>(static_cast<std::uint32_t>(of(item)) * static_cast<std::uint32_t>(factor));
                                  }});
      } else {
        const float factor = random_.of({0x1p-6f, 0x1p-5f, 0.01f, 1.0f / 255, -0.02f, 37.5f});
        write.floats.push_back({"((float)" + term.text + " * " + number(factor) + ")",
                                [of = term.of, factor](const Item& item) { return static_cast<float>(of(item)) * factor; }});
      }
    }
    write.condition = condition(40);
    kernel_.writes.push_back(std::move(write));
  }

  ImageKernel& kernel_;
  Random random_;
};

}  // namespace

Coordinates ImageRead::at(const Item& item) const {
  Coordinates result;
  result.are_floats = with_floats;
  for (std::size_t i = 0; i < integers.size(); ++i) result.integers[i] = integers[i].of(item);
  for (std::size_t i = 0; i < floats.size(); ++i) result.floats[i] = floats[i].of(item);
  return result;
}

std::array<std::uint32_t, 4> ImageWrite::color(const Item& item) const {
  std::array<std::uint32_t, 4> result{};
  for (std::size_t i = 0; i < integers.size(); ++i) result[i] = static_cast<std::uint32_t>(integers[i].of(item));
  for (std::size_t i = 0; i < floats.size(); ++i) result[i] = std::bit_cast<std::uint32_t>(floats[i].of(item));
  return result;
}

ImageKernel::ImageKernel(std::uint64_t seed) { Maker(*this, seed).make(); }

}  // namespace weft::fuzz
