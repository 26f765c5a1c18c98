#include "runtime/transfer.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "runtime/error.h"

namespace weft::runtime {

Box make_box(const std::size_t* origin, const std::size_t* region, std::size_t row_pitch,
             std::size_t slice_pitch) {
  require(origin && region, CL_INVALID_VALUE);
  require(region[0] && region[1] && region[2], CL_INVALID_VALUE);
  if (row_pitch == 0) row_pitch = region[0];
  require(row_pitch >= region[0], CL_INVALID_VALUE);
  const Wide least = Wide{region[1]} * row_pitch;
  require(least <= SIZE_MAX, CL_INVALID_VALUE);
  if (slice_pitch == 0) slice_pitch = static_cast<std::size_t>(least);
  require(slice_pitch >= least && slice_pitch % row_pitch == 0, CL_INVALID_VALUE);
  // Three products below 2^128 in sum: bounded one by one before they are added.
  const Wide slices = (Wide{origin[2]} + region[2] - 1), rows = (Wide{origin[1]} + region[1] - 1);
  require(slices <= SIZE_MAX / slice_pitch && rows <= SIZE_MAX / row_pitch, CL_INVALID_VALUE);
  const Wide start = Wide{origin[2]} * slice_pitch + Wide{origin[1]} * row_pitch + origin[0];
  const Wide end = slices * slice_pitch + rows * row_pitch + origin[0] + region[0];
  return {start, row_pitch, slice_pitch, end};
}

bool overlap(Wide a, Wide b, const std::size_t* region, std::size_t row_pitch, std::size_t slice_pitch) {
  // They do if some difference of positions, i + j * row_pitch + k * slice_pitch, is that of the starts.
  using Distance = __int128;
  const Distance distance = static_cast<Distance>(b) - static_cast<Distance>(a);
  const Distance width = region[0], rows = region[1], slices = region[2], row = row_pitch, slice = slice_pitch;
  const Distance reach = width + rows * row;  // of one slice
  const Distance first = std::max(1 - slices, (distance - reach) / slice - 1);
  const Distance last = std::min(slices - 1, (distance + reach) / slice + 1);
  for (Distance k = first; k <= last; ++k) {
    const Distance rest = distance - k * slice;
    for (Distance j = rest / row - 1; j <= rest / row + 1; ++j) {
      const Distance i = rest - j * row;
      if (j > -rows && j < rows && i > -width && i < width) return true;
    }
  }
  return false;
}

namespace {

void set_linear_copy(Work& target, const std::byte* from, std::byte* to, std::size_t size, Memory* first, Memory* second) {
  if (size == 0) return;
  auto& work = target.emplace<CopyWork>();
  work.from = from;
  work.to = to;
  work.region = {size, 1, 1};
  work.first_memory = Ref<Memory>(first);
  work.second_memory = Ref<Memory>(second);
  work.plan();
}

void set_linear_fill(Work& target, std::byte* to, std::size_t size, const void* pattern, std::size_t pattern_size,
                     Memory* memory) {
  if (size == 0) return;
  auto& work = target.emplace<FillWork>();
  work.to = to;
  work.size = size;
  work.pattern_size = pattern_size;
  std::memcpy(work.pattern.data(), pattern, pattern_size);
  work.memory = Ref<Memory>(memory);
}

}  // namespace

void set_copy(Work& target, const std::byte* from, std::byte* to, std::size_t size, Memory& first,
              Memory* second) {
  set_linear_copy(target, from, to, size, &first, second);
}

void set_copy(Work& target, const void* from, void* to, std::size_t size) {
  set_linear_copy(target, static_cast<const std::byte*>(from), static_cast<std::byte*>(to), size, nullptr, nullptr);
}

void set_copy(Work& target, const std::byte* from, const Box& from_box, std::byte* to, const Box& to_box,
               const std::size_t* region, Memory& first, Memory* second) {
  auto& work = target.emplace<CopyWork>();
  work.from = from + static_cast<std::size_t>(from_box.start);
  work.to = to + static_cast<std::size_t>(to_box.start);
  work.region = {region[0], region[1], region[2]};
  work.from_row_pitch = from_box.row_pitch;
  work.from_slice_pitch = from_box.slice_pitch;
  work.to_row_pitch = to_box.row_pitch;
  work.to_slice_pitch = to_box.slice_pitch;
  work.first_memory = Ref<Memory>(&first);
  work.second_memory = Ref<Memory>(second);
  work.plan();
}

bool is_pattern_size(std::size_t bytes) { return std::has_single_bit(bytes) && bytes <= FillWork::kMaxPattern; }

void set_fill(Work& target, Memory& memory, std::size_t offset, std::size_t size, const void* pattern,
              std::size_t pattern_size) {
  set_linear_fill(target, memory.data() + offset, size, pattern, pattern_size, &memory);
}

void set_fill(Work& target, void* to, std::size_t size, const void* pattern, std::size_t pattern_size) {
  set_linear_fill(target, static_cast<std::byte*>(to), size, pattern, pattern_size, nullptr);
}

}  // namespace weft::runtime
