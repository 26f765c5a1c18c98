// Random kernels that read and write images, and what each of their work-items asks for.
//
// Coordinates and colours are expressions of the work-item's ids that the kernel and the host compute alike: integers below 2^20, and
// floats made of them by single operations, with contraction off. They are the same for all work-items, neighbours', scattered,
// outside, and near half points.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/fuzz/image_reference.h"
#include "compiler/fuzz/random.h"

namespace weft::fuzz {

/// A work-item, and where it is in a loop over taps.
struct Item {
  std::array<int, 3> global, local, group, global_size;
  int tap_x = 0, tap_y = 0;

  int linear() const { return (global[2] * global_size[1] + global[1]) * global_size[0] + global[0]; }
};

/// An expression as OpenCL C and as a function of the host.
template <typename T>
struct Term {
  std::string text;
  std::function<T(const Item&)> of;
};
using IntTerm = Term<std::int32_t>;
using FloatTerm = Term<float>;

struct ImageArgument {
  std::string name;
  ReferenceImage image;      ///< without data
  compiler::ArgAccess access;
  bool is_padded;            ///< abi::kImagePadded
  std::size_t misplaced = 0; ///< bytes from alignment to texels
  bool is_known;             ///< its format is a part of the specialization
};

struct SamplerArgument {
  std::string name;
  std::uint32_t bits;
  bool is_literal;  ///< in the kernel's source, no argument
  bool is_known;
};

/// `out[slot of tap and item] = read(...)`, of a colour or of one component.
struct ImageRead {
  std::size_t image;
  std::uint32_t sampler = kNoSampler;
  bool with_floats = false;
  std::vector<IntTerm> integers;   ///< where not with_floats
  std::vector<FloatTerm> floats;
  std::optional<IntTerm> condition;  ///< read where it is odd
  int taps_x = 1, taps_y = 1;
  std::optional<IntTerm> row;      ///< taps along x that a work-item takes, in [0, taps_x]
  int component = -1;              ///< -1: all four
  bool by_item = false;            ///< an item's taps lie side by side; else a tap's items

  int taps() const { return taps_x * taps_y; }
  Coordinates at(const Item& item) const;
};

/// A texel of each work-item's own.
struct ImageWrite {
  std::size_t image;
  std::vector<IntTerm> at;
  std::vector<IntTerm> integers;  ///< the colour, of integer formats
  std::vector<FloatTerm> floats;  ///< of others
  std::optional<IntTerm> condition;

  std::array<std::uint32_t, 4> color(const Item& item) const;
};

inline constexpr std::int32_t kValueArgument = 5;  ///< of the argument `m`, which the compiler does not know

/// Kernel `k`. Its arguments: the images, the samplers that are no literals, an output buffer for each read, `int m`.
struct ImageKernel {
  explicit ImageKernel(std::uint64_t seed);

  std::vector<ImageArgument> images;
  std::vector<SamplerArgument> samplers;
  std::vector<ImageRead> reads;
  std::vector<ImageWrite> writes;
  std::string source;
};

/// A kernel's source: comments with what the arguments are, the reads, then the writes.
std::string text_of(const ImageKernel& kernel);

}  // namespace weft::fuzz
