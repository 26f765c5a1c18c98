#include "runtime/image.h"

#include <algorithm>
#include <cstring>

#include "runtime/host_memory.h"

namespace weft::runtime {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kPage = 4096;
/// Rows a page apart share a few sets of the nearest cache. A single line more parts a row's pairs of lines, which processors fetch together: a
/// copy in groups of 32 x 8 took up to a quarter longer.
constexpr std::size_t kBeyondPages = 2 * kLine;
/// Rows this long are aligned to lines: at most an eighth is lost.
constexpr std::size_t kAlignedRow = 512;
/// Rows of a slice from which one more is little.
constexpr std::size_t kManyRows = 8;
constexpr std::size_t kLevelAlign = 128;

std::size_t chosen_pitch(std::size_t row_bytes) {
  if (row_bytes < kAlignedRow) return row_bytes;
  const std::size_t pitch = round_up(row_bytes, kLine);
  return pitch % kPage == 0 ? pitch + kBeyondPages : pitch;
}

std::uint32_t halved(std::uint32_t size, std::uint32_t level) { return std::max(1u, size >> level); }

}  // namespace

unsigned ImageShape::num_coordinates() const {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return 1;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D:
      return 2;
    default:
      return 3;
  }
}

Image Image::in_own_memory(const ImageShape& shape) {
  Image image(shape);
  const std::uint32_t count = std::max(1u, shape.num_mip_levels);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t row = chosen_pitch(std::size_t{halved(shape.width, i)} * shape.format->texel_bytes);
    const std::size_t height = halved(shape.height, i), slice = row * height;
    image.add_level(i, row, slice % kPage == 0 && height >= kManyRows ? slice + row : slice);
  }
  return image;
}

Image Image::in_given_memory(const ImageShape& shape) {
  Image image(shape);
  image.add_level(0, shape.tight_row_pitch(), shape.tight_slice_pitch());
  return image;
}

Image Image::like(const Image& other, const ImageShape& shape) {
  Image image(other);
  image.shape_ = shape;
  return image;
}

void Image::copy_in(const void* host_ptr) {
  const abi::ImageLevel& level = descriptor_.base;
  const auto* from = static_cast<const std::byte*>(host_ptr);
  for (std::size_t z = 0; z < std::max(shape_.layers, shape_.depth); ++z) {
    for (std::size_t y = 0; y < shape_.height; ++y) {
      std::memcpy(level.data + z * level.slice_pitch + y * level.row_pitch,
                  from + z * shape_.tight_slice_pitch() + y * shape_.tight_row_pitch(), shape_.row_bytes());
    }
  }
}

void Image::add_level(std::uint32_t index, std::size_t row_pitch, std::size_t slice_pitch) {
  const std::size_t offset = levels_.empty() ? 0 : round_up(size_, kLevelAlign);
  const std::size_t width = halved(shape_.width, index), height = halved(shape_.height, index),
                    slices = shape_.is_array() ? shape_.layers : halved(shape_.depth, index);
  if (shape_.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
    levels_.push_back({{width, slices, 1}, row_pitch, slice_pitch, slice_pitch, offset});
  } else {
    levels_.push_back({{width, height, slices}, row_pitch, slice_pitch, row_pitch, offset});
  }
  size_ = offset + (slices - 1) * slice_pitch + (height - 1) * row_pitch + width * shape_.format->texel_bytes;
  placed_levels_.push_back({nullptr, row_pitch, slice_pitch, static_cast<std::uint32_t>(width),
                            static_cast<std::uint32_t>(height), halved(shape_.depth, index), 0});
}

void Image::place(std::byte* data, bool is_padded) {
  for (std::size_t i = 0; i < levels_.size(); ++i) placed_levels_[i].data = data + levels_[i].offset;
  descriptor_ = {placed_levels_[0],       placed_levels_.data(),  num_levels(),
                 shape_.layers,           format().order->order,  format().type->type,
                 format().texel_bytes,    is_padded ? abi::kImagePadded : 0u};
}

// §5.3.9, table "List of supported param_names by clGetImageInfo": dimensions that the type has not are 0.
void Image::info(cl_image_info name, const InfoWriter& out) const {
  const bool has_depth = type() == CL_MEM_OBJECT_IMAGE3D;
  const bool has_height = has_depth || type() == CL_MEM_OBJECT_IMAGE2D || type() == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  const auto size = [&](bool has, std::size_t value) { out.value<std::size_t>(has ? value : 0); };
  switch (name) {
    case CL_IMAGE_FORMAT:
      return out.value(format().api());
    case CL_IMAGE_ELEMENT_SIZE:
      return size(true, format().texel_bytes);
    // As given, or tight: the pitches that the memory really has come with a mapping.
    case CL_IMAGE_ROW_PITCH:
      return size(true, shape_.tight_row_pitch());
    case CL_IMAGE_SLICE_PITCH:
      return size(shape_.is_array() || has_depth, shape_.tight_slice_pitch());
    case CL_IMAGE_WIDTH:
      return size(true, shape_.width);
    case CL_IMAGE_HEIGHT:
      return size(has_height, shape_.height);
    case CL_IMAGE_DEPTH:
      return size(has_depth, shape_.depth);
    case CL_IMAGE_ARRAY_SIZE:
      return size(shape_.is_array(), shape_.layers);
    case CL_IMAGE_NUM_MIP_LEVELS:
      return out.value<cl_uint>(shape_.num_mip_levels);
    case CL_IMAGE_NUM_SAMPLES:
      return out.value<cl_uint>(0);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

}  // namespace weft::runtime
