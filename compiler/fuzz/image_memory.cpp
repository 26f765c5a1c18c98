#include "compiler/fuzz/image_memory.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace weft::fuzz {
namespace {

constexpr std::size_t kPage = 4096;
/// As the runtime aligns its own (abi::kImagePadded).
constexpr std::size_t kAlign = 128;

std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

/// Floats that sums stay near of, of both signs; other channels are any bits.
void fill(std::vector<std::byte>& bytes, const TexelFormat& format, Random& random) {
  const ChannelKind kind = format.type->kind;
  if (kind == ChannelKind::kFloat) {
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      const float value = static_cast<float>(static_cast<int>(random.below(4001)) - 2000) * random.of({0x1p-10f, 0.01f, 1.0f, 16.0f});
      std::memcpy(&bytes[i], &value, 4);
    }
    return;
  }
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
  if (kind == ChannelKind::kHalf)  // neither infinite nor NaN
    for (std::size_t i = 1; i < bytes.size(); i += 2)
      if ((bytes[i] & std::byte{0x7c}) == std::byte{0x7c}) bytes[i] &= std::byte{0xbf};
}

}  // namespace

ImageMemory::ImageMemory(const ImageArgument& argument, bool at_end, std::uint64_t seed) : initial_(argument.image) {
  const ReferenceImage& image = argument.image;
  const auto slices = static_cast<std::size_t>(std::max(image.layers, image.size[2]));
  const std::size_t texels = (slices - 1) * image.slice_pitch + static_cast<std::size_t>(image.size[1] - 1) * image.row_pitch +
                             static_cast<std::size_t>(image.size[0]) * image.format.bytes();
  const std::size_t padding = argument.is_padded ? abi::kImagePadding : 0;
  const std::size_t align = argument.is_padded ? kAlign : image.format.bytes();
  const std::size_t bytes = texels + 2 * padding;
  page_bytes_ = round_up(bytes + kAlign, kPage);
  void* const all = mmap(nullptr, page_bytes_ + 2 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<std::byte*>(all);
  mprotect(pages_ + kPage, page_bytes_, PROT_READ | PROT_WRITE);
  begin_ = pages_ + kPage + argument.misplaced;
  if (at_end) {
    begin_ = pages_ + kPage + (page_bytes_ - bytes) / align * align;
    if (argument.misplaced) begin_ -= align - argument.misplaced;
  }
  data_ = begin_ + padding;
  contents_.resize(bytes);
  Random random(seed);
  // Channels stay whole: the padding is a multiple of a texel.
  fill(contents_, image.format, random);
  initial_.data = contents_.data() + padding;

  descriptor_.base.data = data_;
  descriptor_.base.row_pitch = image.row_pitch;
  descriptor_.base.slice_pitch = image.slice_pitch;
  descriptor_.base.width = static_cast<std::uint32_t>(image.size[0]);
  descriptor_.base.height = static_cast<std::uint32_t>(image.size[1]);
  descriptor_.base.depth = static_cast<std::uint32_t>(image.size[2]);
  descriptor_.levels = &descriptor_.base;
  descriptor_.num_levels = 1;
  descriptor_.layers = static_cast<std::uint32_t>(image.layers);
  descriptor_.channel_order = image.format.order->number;
  descriptor_.channel_type = image.format.type->number;
  descriptor_.texel_bytes = static_cast<std::uint32_t>(image.format.bytes());
  descriptor_.flags = argument.is_padded ? abi::kImagePadded : 0u;
}

ImageMemory::~ImageMemory() { munmap(pages_, page_bytes_ + 2 * kPage); }

void ImageMemory::reset() const { std::memcpy(begin_, contents_.data(), contents_.size()); }

std::uint32_t ImageMemory::format_word() const {
  const abi::ImageLevel& level = descriptor_.base;
  const bool aligned =
      (reinterpret_cast<std::uintptr_t>(level.data) | level.row_pitch | level.slice_pitch) % descriptor_.texel_bytes == 0;
  const std::uint32_t small = aligned && level.width >= 2 ? compiler::kFormatSmall : 0u;
  const std::uint32_t padded = descriptor_.flags & abi::kImagePadded ? compiler::kFormatPadded : 0u;
  return compiler::image_format_word(descriptor_.channel_order, descriptor_.channel_type, small | padded);
}

std::optional<std::size_t> ImageMemory::changed(const std::vector<bool>& may_change) const {
  for (std::size_t i = 0; i < contents_.size(); ++i)
    if (!may_change[i] && begin_[i] != contents_[i]) return i;
  return std::nullopt;
}

}  // namespace weft::fuzz
