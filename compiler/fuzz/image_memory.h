// The images of one launch in memory, beside pages that nobody may touch.
#pragma once

#include <memory>

#include "compiler/fuzz/image_kernel.h"
#include "device/kernel_abi.h"

namespace weft::fuzz {

class ImageMemory {
 public:
  /// Texels of random values. `at_end`: the last byte lies before a forbidden page; else the first lies behind one.
  ImageMemory(const ImageArgument& argument, bool at_end, std::uint64_t seed);
  ~ImageMemory();
  ImageMemory(const ImageMemory&) = delete;
  ImageMemory& operator=(const ImageMemory&) = delete;

  void reset() const;
  const abi::ImageDescriptor& descriptor() const { return descriptor_; }
  /// What the launch's code is made for (compiler/argument_formats.h).
  std::uint32_t format_word() const;
  /// As it was before the launch.
  const ReferenceImage& initial() const { return initial_; }
  const std::byte* texel(int x, int y, int z) const { return data_ + initial_.offset(x, y, z); }
  /// The first byte that changed where `may_change` says that none may; nothing if there is none.
  std::optional<std::size_t> changed(const std::vector<bool>& may_change) const;
  /// Offset of the first texel in what changed() looks at.
  std::size_t first() const { return static_cast<std::size_t>(data_ - begin_); }
  std::size_t bytes() const { return contents_.size(); }

 private:
  std::byte* pages_ = nullptr;  ///< a forbidden one, the image's, a forbidden one
  std::size_t page_bytes_ = 0;
  std::byte* begin_ = nullptr;  ///< of the image with its padding
  std::byte* data_ = nullptr;
  std::vector<std::byte> contents_;
  ReferenceImage initial_;
  abi::ImageDescriptor descriptor_{};
};

}  // namespace weft::fuzz
