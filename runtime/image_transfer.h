// Transfers of images (OpenCL 3.0 API §5.3.3 to §5.3.8): the boxes of bytes that regions of texels are, and the work of
// their commands. A box's rows are runs of texels along x; its second and third direction are the image's second and third
// coordinate, so that a 1-D array's layers are rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/command.h"
#include "runtime/image.h"
#include "runtime/memory.h"
#include "runtime/transfer.h"

namespace weft::runtime {

/// A region of one level of an image.
struct ImageRegion {
  const Image::Level* level;
  std::size_t origin[3];  ///< texels
  std::size_t extent[3];  ///< texels, rows, slices
  std::size_t texel_bytes;

  /// Its bytes from the image's first texel.
  Box box() const;
  std::array<std::size_t, 3> bytes() const { return {extent[0] * texel_bytes, extent[1], extent[2]}; }
  std::size_t total_bytes() const { return extent[0] * texel_bytes * extent[1] * extent[2]; }
};

/// Checks that the region lies inside the image; of a mipmapped one `origin` names the level too (§5.3.8). Throws
/// Error{CL_INVALID_VALUE}, Error{CL_INVALID_MIP_LEVEL}.
ImageRegion make_region(const Image& image, const std::size_t* origin, const std::size_t* region);

/// The same texels in memory of the host's with the pitches that clEnqueueReadImage takes (§5.3.3). Throws
/// Error{CL_INVALID_VALUE}.
Box host_box(const Image& image, const ImageRegion& region, std::size_t row_pitch, std::size_t slice_pitch);

/// The same without gaps, from `offset`.
Box packed_box(const ImageRegion& region, std::size_t offset);

/// Whether two regions of one image have a texel in common.
bool overlap(const ImageRegion& a, const ImageRegion& b);

/// Makes `target` work that fills the region with a texel.
void set_fill(Work& target, Memory& memory, const ImageRegion& region, const std::byte* texel);

}  // namespace weft::runtime
