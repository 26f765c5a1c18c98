#include "runtime/command.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/device.h"
#include "runtime/stream.h"
#include "runtime/updated_buffers.h"

namespace weft::runtime {
namespace {

/// Bytes of a transfer's part: enough to be worth a worker's while.
constexpr std::size_t kPartBytes = std::size_t{1} << 20;
/// For estimates only: bytes a nanosecond, and what a row costs beside its bytes.
constexpr float kBytesPerNs = 8;
constexpr float kRowNs = 5;
/// Bytes of a row from which it is worth while to write it past the caches.
constexpr std::size_t kStreamedRow = 32768;

bool overlap(const std::byte* a, const std::byte* b, std::size_t size) {
  const auto x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
  return x < y + size && y < x + size;
}

void copy_streaming(std::byte* to, const std::byte* from, std::size_t size) { stream_copy(to, from, size); }
void copy_cached(std::byte* to, const std::byte* from, std::size_t size) { std::memcpy(to, from, size); }

/// Repeats the pattern over `bytes`, a multiple of its size.
void fill(std::byte* start, std::size_t bytes, const std::byte* pattern, std::size_t pattern_size, bool streams) {
  if (pattern_size == 1 && !streams) {
    std::memset(start, static_cast<int>(pattern[0]), bytes);
    return;
  }
  // A tile that stays in the first-level cache, doubled up, then repeated.
  const std::size_t tile = std::min<std::size_t>(bytes, 8192);
  std::memcpy(start, pattern, pattern_size);
  for (std::size_t done = pattern_size; done < tile;) {
    const std::size_t more = std::min(done, tile - done);
    std::memcpy(start + done, start, more);
    done += more;
  }
  for (std::size_t done = tile; done < bytes;) {
    const std::size_t more = std::min(tile, bytes - done);
    (streams ? copy_streaming : copy_cached)(start + done, start, more);
    done += more;
  }
}

}  // namespace

void KernelWork::prepare(device::Launch& one) {
  one.prepare(kernel->description().uses_printf);
  if (const auto& updated = one.code->traits().updated; !updated.empty())
    one.copy_updated(updated_buffers(updated, kernel->description(), *arguments), Device::num_workers());
}

void KernelWork::prepare() {
  prepare(launch);
  for (device::Launch& other : others) {
    prepare(other);
    other.count_with(launch);
  }
}

cl_int KernelWork::make_ready() {
  if (refused != CL_SUCCESS || (!pending && !others_pending)) return refused;
  for (const auto& generation : {pending, others_pending})
    if (generation && !generation->code) return generation->status;
  if (pending) launch.code = pending->code;
  if (others_pending)
    for (device::Launch& other : others) other.code = others_pending->code;
  try {
    prepare();
  } catch (const std::bad_alloc&) {
    return CL_OUT_OF_HOST_MEMORY;
  }
  return CL_SUCCESS;
}

std::uint64_t KernelWork::parts() const {
  std::uint64_t blocks = launch.blocks();
  for (const device::Launch& other : others) blocks += other.blocks();
  return blocks;
}

std::uint32_t KernelWork::stack_bytes() const {
  if (!has_code()) return 0;
  const std::uint32_t bytes = launch.code->traits().stack_bytes;
  return others.empty() ? bytes : std::max(bytes, others.front().code->traits().stack_bytes);
}

bool KernelWork::may_run_in_any_order() const { return !counting && !kernel->description().may_wait_for_groups; }

bool KernelWork::run_each(device::Worker& worker, std::uint64_t first, std::uint64_t count) {
  const auto run_one = [&](device::Launch& one) {
    const std::uint64_t blocks = one.blocks();
    if (first >= blocks) {
      first -= blocks;
      return true;
    }
    const std::uint64_t here = std::min(count, blocks - first);
    const bool done = one.run(worker, first, here);
    first = 0;
    count -= here;
    return done;
  };
  if (!run_one(launch)) return false;
  for (device::Launch& other : others) {
    if (count == 0) break;
    if (!run_one(other)) return false;
  }
  return true;
}

device::LaunchStatus KernelWork::finish(float part_ns) noexcept {
  device::LaunchStatus status = launch.finish(part_ns);
  for (device::Launch& other : others) status = std::max(status, other.finish(0));
  return status;
}

void CopyWork::plan() {
  // Rows and slices that follow each other without a gap are one long row.
  if (region[1] == 1 || (from_row_pitch == region[0] && to_row_pitch == region[0])) {
    const std::size_t slice = region[0] * region[1];
    if (region[2] == 1 || (from_slice_pitch == slice && to_slice_pitch == slice)) {
      region = {slice * region[2], 1, 1};
    } else {
      region = {slice, region[2], 1};
      from_row_pitch = from_slice_pitch;
      to_row_pitch = to_slice_pitch;
    }
  }
  const std::size_t rows = region[1] * region[2];
  if (rows == 1) {
    // A host pointer may be the buffer's own memory (CL_MEM_USE_HOST_PTR), moved by less than its length.
    const bool overlaps = overlap(from, to, region[0]);
    unit_ = overlaps ? region[0] : kPartBytes;
    streams_ = !overlaps && goes_past_caches(region[0], region[0]);
    parts_ = (region[0] + unit_ - 1) / unit_;
    part_ns_ = static_cast<float>(std::min(unit_, region[0])) / kBytesPerNs;
  } else {
    unit_ = std::max<std::size_t>(1, kPartBytes / (region[0] + 64));
    parts_ = (rows + unit_ - 1) / unit_;
    part_ns_ =
        static_cast<float>(std::min(unit_, rows)) * (static_cast<float>(region[0]) / kBytesPerNs + kRowNs);
  }
}

bool CopyWork::run(device::Worker&, std::uint64_t first, std::uint64_t count) {
  const std::size_t begin = first * unit_;
  const std::size_t rows = region[1] * region[2];
  if (rows == 1) {
    const std::size_t end = std::min(region[0], begin + count * unit_);
    if (streams_) {
      stream_copy(to + begin, from + begin, end - begin);
    } else if (from != to) {
      std::memmove(to + begin, from + begin, end - begin);
    }
    return true;
  }
  const std::size_t end = std::min(rows, begin + count * unit_);
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t y = row % region[1], z = row / region[1];
    std::memmove(to + y * to_row_pitch + z * to_slice_pitch, from + y * from_row_pitch + z * from_slice_pitch,
                 region[0]);
  }
  return true;
}

std::uint64_t FillWork::parts() const { return (size + kPartBytes - 1) / kPartBytes; }

float FillWork::part_ns() const { return static_cast<float>(std::min(size, kPartBytes)) / kBytesPerNs; }

bool FillWork::run(device::Worker&, std::uint64_t first, std::uint64_t count) {
  // kPartBytes is a multiple of every pattern's size: each part begins with a whole pattern.
  const std::size_t begin = first * kPartBytes;
  const std::size_t bytes = std::min(size, begin + count * kPartBytes) - begin;
  fill(to + begin, bytes, pattern.data(), pattern_size, goes_past_caches(size, 0));
  return true;
}

void FillBoxWork::plan() {
  // As for CopyWork: without gaps one long row.
  if (region[1] == 1 || row_pitch == region[0]) {
    const std::size_t slice = region[0] * region[1];
    if (region[2] == 1 || slice_pitch == slice) {
      region = {slice * region[2], 1, 1};
    } else {
      region = {slice, region[2], 1};
      row_pitch = slice_pitch;
    }
  }
  unit_ = is_one_row() ? kPartBytes : std::max<std::size_t>(1, kPartBytes / (region[0] + 64));
}

std::uint64_t FillBoxWork::parts() const {
  const std::size_t all = is_one_row() ? region[0] : region[1] * region[2];
  return (all + unit_ - 1) / unit_;
}

float FillBoxWork::part_ns() const {
  if (is_one_row()) return static_cast<float>(std::min(unit_, region[0])) / kBytesPerNs;
  return static_cast<float>(std::min(unit_, region[1] * region[2])) * (static_cast<float>(region[0]) / kBytesPerNs + kRowNs);
}

bool FillBoxWork::run(device::Worker&, std::uint64_t first, std::uint64_t count) {
  const std::size_t begin = first * unit_;
  const bool streams = goes_past_caches(region[0] * region[1] * region[2], 0);
  if (is_one_row()) {
    const std::size_t end = std::min(region[0], begin + count * unit_);
    fill(to + begin, end - begin, pattern.data(), pattern_size, streams);
    return true;
  }
  const std::size_t end = std::min(region[1] * region[2], begin + count * unit_);
  for (std::size_t row = begin; row < end; ++row) {
    std::byte* const start = to + row % region[1] * row_pitch + row / region[1] * slice_pitch;
    fill(start, region[0], pattern.data(), pattern_size, streams && region[0] >= kStreamedRow);
  }
  return true;
}

}  // namespace weft::runtime
