#include "runtime/image_transfer.h"

#include <cstring>

namespace weft::runtime {

Box ImageRegion::box() const {
  const std::size_t start =
      level->offset + origin[0] * texel_bytes + origin[1] * level->second_pitch + origin[2] * level->slice_pitch;
  const std::size_t end =
      start + extent[0] * texel_bytes + (extent[1] - 1) * level->second_pitch + (extent[2] - 1) * level->slice_pitch;
  return {start, level->second_pitch, level->slice_pitch, end};
}

ImageRegion make_region(const Image& image, const std::size_t* origin, const std::size_t* region) {
  require(origin && region, CL_INVALID_VALUE);
  const unsigned dimensions = image.shape().num_coordinates();
  std::size_t level = 0;
  if (image.is_mipmapped()) {
    level = origin[dimensions];  // the place after the coordinates
    require(level < image.num_levels(), CL_INVALID_MIP_LEVEL);
  }
  ImageRegion result{&image.level(static_cast<std::uint32_t>(level)), {}, {}, image.format().texel_bytes};
  for (unsigned d = 0; d < 3; ++d) {
    const bool names_level = image.is_mipmapped() && d == dimensions;
    result.origin[d] = names_level ? 0 : origin[d];
    result.extent[d] = region[d];
    const std::size_t most = result.level->extent[d];
    require(region[d] != 0 && region[d] <= most && result.origin[d] <= most - region[d], CL_INVALID_VALUE);
  }
  return result;
}

Box host_box(const Image& image, const ImageRegion& region, std::size_t row_pitch, std::size_t slice_pitch) {
  const auto [row, rows, slices] = region.bytes();
  if (row_pitch == 0) row_pitch = row;
  require(row_pitch >= row, CL_INVALID_VALUE);
  const bool has_slices = image.shape().is_array() || image.type() == CL_MEM_OBJECT_IMAGE3D;
  require(has_slices || slice_pitch == 0, CL_INVALID_VALUE);
  const bool layers_are_rows = image.type() == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const Wide least = layers_are_rows ? Wide{row_pitch} : Wide{row_pitch} * rows;
  require(least <= SIZE_MAX && (slice_pitch == 0 || slice_pitch >= least), CL_INVALID_VALUE);
  if (slice_pitch == 0) slice_pitch = static_cast<std::size_t>(least);
  const std::size_t pitch = layers_are_rows ? slice_pitch : row_pitch;
  const Wide end = Wide{slices - 1} * slice_pitch + Wide{rows - 1} * pitch + row;
  require(end <= SIZE_MAX, CL_INVALID_VALUE);
  return {0, pitch, slice_pitch, end};
}

Box packed_box(const ImageRegion& region, std::size_t offset) {
  const auto [row, rows, slices] = region.bytes();
  return {offset, row, row * rows, Wide{offset} + region.total_bytes()};
}

bool overlap(const ImageRegion& a, const ImageRegion& b) {
  if (a.level != b.level) return false;
  for (unsigned d = 0; d < 3; ++d) {
    if (a.origin[d] + a.extent[d] <= b.origin[d] || b.origin[d] + b.extent[d] <= a.origin[d]) return false;
  }
  return true;
}

void set_fill(Work& target, Memory& memory, const ImageRegion& region, const std::byte* texel) {
  const Box box = region.box();
  auto& work = target.emplace<FillBoxWork>();
  work.to = memory.data() + static_cast<std::size_t>(box.start);
  work.region = region.bytes();
  work.row_pitch = box.row_pitch;
  work.slice_pitch = box.slice_pitch;
  work.pattern_size = region.texel_bytes;
  std::memcpy(work.pattern.data(), texel, region.texel_bytes);
  work.memory = Ref<Memory>(&memory);
  work.plan();
}

}  // namespace weft::runtime
