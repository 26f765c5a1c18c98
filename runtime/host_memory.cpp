#include "runtime/host_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/device.h"
#include "runtime/kept_memory.h"

namespace weft::runtime {
namespace {

/// Readable and writable past the end of a buffer. Kernels whose last vector load or store goes a few bytes too far pass on
/// GPUs, which allocate in coarser units (OpenCV's pyrUp reads one byte past its image), so they should not end the program.
constexpr std::size_t kOverrun = 256;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// From here on memory comes from the system directly: zero pages, present when first touched.
constexpr std::size_t kMapThreshold = std::size_t{256} << 10;

/// Large buffers lie on huge pages where the system has them: streams over several of them would otherwise
/// live on page walks.
std::byte* map_memory(std::size_t size) {
  const std::size_t slack = size >= 2 * kHugePage ? kHugePage : 0;
  const auto map = [&] { return mmap(nullptr, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); };
  void* memory = map();
  if (memory == MAP_FAILED && unmap_kept()) memory = map();
  if (memory == MAP_FAILED) return nullptr;
  auto* start = static_cast<std::byte*>(memory);
  if (!slack) return start;
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const std::size_t head = round_up(address, kHugePage) - address;
  if (head) munmap(start, head);
  if (slack - head) munmap(start + head + size, slack - head);
  madvise(start + head, size, MADV_HUGEPAGE);
  return start + head;
}

/// Smaller memory objects share caches anyhow.
constexpr std::size_t kApartThreshold = std::size_t{32} << 10;
/// From an object's place in a page back to the next one's. Back, since what is written is mostly made behind what is read: processors
/// compare the lowest 12 bits of a load with those of stores in front of it, and loads run ahead of stores, not behind.
constexpr std::size_t kNextPlace = 256;

/// Bytes that are kept for objects to come, at most: the results of a few operations on large images.
constexpr std::size_t kMostKept = std::size_t{128} << 20;

std::size_t allocated_bytes(std::size_t size) {
  const std::size_t bytes = round_up(size + kOverrun, kMemoryAlign);
  return bytes >= kMapThreshold && bytes <= kMostKept ? kept_size(bytes) : bytes;
}

/// And no more than a small part of what the machine, or the process's control group, has.
std::uint64_t most_kept() { return std::min<std::uint64_t>(Device::global_mem_size() / 64, kMostKept); }

std::byte* allocate(std::size_t size, Contents contents) {
  const std::size_t bytes = allocated_bytes(size);
  if (bytes >= kMapThreshold) {
    std::byte* const kept = take_kept(bytes);
    if (kept && contents == Contents::kZeros) std::memset(kept, 0, bytes);
    return kept ? kept : map_memory(bytes);
  }
  auto* const memory = static_cast<std::byte*>(std::aligned_alloc(kMemoryAlign, bytes));
  // As what is mapped, and as GPUs' drivers give it: programs that read what they never wrote (ffmpeg's tonemap, for an index) meet
  // zeros there, and none meets what another part of the process has left.
  if (memory) std::memset(memory, 0, bytes);
  return memory;
}

}  // namespace

std::byte* allocate_memory(std::size_t size) noexcept { return allocate(size, Contents::kZeros); }

void deallocate_memory(std::byte* memory, std::size_t size) noexcept {
  const std::size_t bytes = allocated_bytes(size);
  if (bytes >= kMapThreshold) {
    keep_or_unmap(memory, bytes, most_kept());
  } else {
    std::free(memory);
  }
}

std::byte* allocate_apart(std::size_t size, Contents contents) noexcept {
  if (size < kApartThreshold) return allocate(size, contents);
  static std::atomic<std::size_t> place{0};
  std::byte* const memory = allocate(size + kMemoryAlign, contents);
  return memory ? memory + place.fetch_sub(kNextPlace, std::memory_order_relaxed) % kMemoryAlign : nullptr;
}

void deallocate_apart(std::byte* memory, std::size_t size) noexcept {
  if (size < kApartThreshold) return deallocate_memory(memory, size);
  deallocate_memory(memory - reinterpret_cast<std::uintptr_t>(memory) % kMemoryAlign, size + kMemoryAlign);
}

}  // namespace weft::runtime
