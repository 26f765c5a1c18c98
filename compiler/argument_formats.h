// What a launch's images and samplers are: a part of what its code is compiled for. Knows neither LLVM nor OpenCL API types.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace weft::compiler {

/// An image's format as a word of 32 bits: its channel order and type as the API numbers them, less the first of each. The
/// builtins read it (builtins/image_format.h).
enum ImageFormatBits : std::uint32_t {
  kFormatOrder = 0xff,       ///< the field: less kFirstOrder
  kFormatType = 0xff00,      ///< the field: less kFirstType
  kFormatPadded = 1u << 29,  ///< abi::kImagePadded
  kFormatSmall = 1u << 30,   ///< all of level 0 lies within 2^30 bytes of its origin, rows have two texels or more, and each is aligned
  kArgumentKnown = 1u << 31  ///< of samplers, too: the word is more than 0, which stands for "read at run time"
};
inline constexpr std::uint32_t kFirstOrder = 0x10b0;  ///< CL_R
inline constexpr std::uint32_t kFirstType = 0x10d0;   ///< CL_SNORM_INT8

/// `traits`: kFormatSmall, kFormatPadded.
constexpr std::uint32_t image_format_word(std::uint32_t order, std::uint32_t type, std::uint32_t traits) {
  return kArgumentKnown | traits | ((type - kFirstType) << 8 & kFormatType) |
         ((order - kFirstOrder) & kFormatOrder);
}

/// A word for each image and each sampler among the arguments, in their order: the image's format, or the sampler's
/// abi::SamplerBits and kArgumentKnown; 0 if the code reads it at run time. Behind these two more. The facts: bit i is set if argument i
/// is a stride that is 1, or a buffer of which no other argument has a byte (KernelArg::has_fact). The bounds: bit i is set if argument i is
/// below 2^31, and not negative, or a buffer of up to kMostSmall bytes (KernelArg::is_bound). Words that are left out are 0. Of fixed
/// size, so that a launch need not allocate; arguments beyond kMost are read at run time.
class ArgumentFormats {
 public:
  using value_type = std::uint32_t;
  static constexpr std::size_t kMost = 256;
  static constexpr std::size_t kMostFacts = 32;  ///< arguments that have a bit in the last words: the first
  /// Nothing in such a buffer lies at the end of 2^31 bytes, or beyond.
  static constexpr std::uint64_t kMostSmall = (std::uint64_t{1} << 31) - (1 << 20);

  ArgumentFormats() {}
  ArgumentFormats(const ArgumentFormats& other) { *this = other; }
  ArgumentFormats& operator=(const ArgumentFormats& other) {
    size_ = other.size_;
    std::copy_n(other.words_.begin(), size_, words_.begin());
    return *this;
  }

  std::size_t size() const { return size_; }
  /// New words are 0; no more than kMost.
  void resize(std::size_t size) {
    size = std::min(size, kMost);
    if (size > size_) std::fill(words_.begin() + size_, words_.begin() + size, 0);
    size_ = static_cast<std::uint32_t>(size);
  }
  void push_back(std::uint32_t word) {
    if (size_ < kMost) words_[size_++] = word;
  }
  /// The last words; those that are 0 are left out.
  void push_facts(std::uint32_t facts, std::uint32_t bounds) {
    if ((facts | bounds) != 0) push_back(facts);
    if (bounds != 0) push_back(bounds);
  }
  std::uint32_t at(std::size_t i) const { return i < size_ ? words_[i] : 0; }
  std::uint32_t* begin() { return words_.data(); }
  std::uint32_t* end() { return words_.data() + size_; }
  const std::uint32_t* begin() const { return words_.data(); }
  const std::uint32_t* end() const { return words_.data() + size_; }

  bool operator==(const ArgumentFormats& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  std::uint32_t size_ = 0;
  std::array<std::uint32_t, kMost> words_;  // only the first size_ are written
};

}  // namespace weft::compiler
