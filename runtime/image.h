// Images: what a memory object has beside its bytes if it is one (OpenCL 3.0 API §5.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/kernel_abi.h"
#include "runtime/image_format.h"
#include "runtime/info.h"
#include "runtime/opencl.h"

namespace weft::runtime {

/// An image's description, checked: sizes in texels, 1 where the type has no such dimension; pitches in bytes.
struct ImageShape {
  cl_mem_object_type type;
  const ImageFormat* format;
  std::uint32_t width = 1, height = 1, depth = 1, layers = 1;
  std::uint32_t num_mip_levels = 0;  ///< as given; 0 and 1 both say that there is level 0 alone
  std::size_t row_pitch = 0;         ///< as given; 0: the runtime's to choose, or tight where the memory is not its own
  std::size_t slice_pitch = 0;

  bool is_array() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY; }
  /// Dimensions of the coordinates that address a texel, layers included: 1 to 3.
  unsigned num_coordinates() const;
  /// Bytes of the texels of a row.
  std::size_t row_bytes() const { return std::size_t{width} * format->texel_bytes; }
  /// Pitches in memory without gaps, where none are given.
  std::size_t tight_row_pitch() const { return row_pitch ? row_pitch : row_bytes(); }
  std::size_t tight_slice_pitch() const { return slice_pitch ? slice_pitch : tight_row_pitch() * height; }
};

/// How an image lies in memory. Immutable.
class Image {
 public:
  /// A level: its extent along the coordinates (of a 1-D array the second is the layer) and its place.
  struct Level {
    std::size_t extent[3];
    std::size_t row_pitch, slice_pitch;
    std::size_t second_pitch;  ///< bytes between neighbours along the second coordinate
    std::size_t offset;        ///< of its first texel from the image's
  };

  /// In memory of the runtime's own. Rows of 512 bytes and more begin at cache lines, so that fewer vectors of a row lie across
  /// two of them (a column of 17 texels of an image 1003 floats wide: 0.79 ms instead of 1.2 for all). Neither rows nor slices
  /// are whole pages apart, where the texels of a column would compete for the same few lines of a cache (an image of 1024²
  /// floats rotated by 90 degrees: 2.4 ms instead of 24).
  static Image in_own_memory(const ImageShape& shape);
  /// In memory that the application laid out.
  static Image in_given_memory(const ImageShape& shape);
  /// In the memory of another image of the same sizes, seen in another format.
  static Image like(const Image& other, const ImageShape& shape);

  /// To be called once, when the memory is known.
  void place(std::byte* data, bool is_padded);
  /// Level 0 from memory of the application's with the pitches of the shape. To be called after `place`.
  void copy_in(const void* host_ptr);

  const ImageShape& shape() const { return shape_; }
  cl_mem_object_type type() const { return shape_.type; }
  const ImageFormat& format() const { return *shape_.format; }

  /// What kernels get. Lives as long as the image.
  const abi::ImageDescriptor& descriptor() const { return descriptor_; }

  bool is_mipmapped() const { return levels_.size() > 1; }
  std::uint32_t num_levels() const { return static_cast<std::uint32_t>(levels_.size()); }
  const Level& level(std::uint32_t index) const { return levels_[index]; }
  /// From the first byte of the first texel to the last of the last, of all levels.
  std::size_t size() const { return size_; }

  /// clGetImageInfo, but for what is the memory object's. Throws Error.
  void info(cl_image_info name, const InfoWriter& out) const;

 private:
  explicit Image(const ImageShape& shape) : shape_(shape) {}
  void add_level(std::uint32_t index, std::size_t row_pitch, std::size_t slice_pitch);

  ImageShape shape_;
  std::vector<Level> levels_;
  std::size_t size_ = 0;
  std::vector<abi::ImageLevel> placed_levels_;
  abi::ImageDescriptor descriptor_{};
};

}  // namespace weft::runtime
