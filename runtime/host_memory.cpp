#include "runtime/host_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace weft::runtime {
namespace {

/// Readable and writable past the end of a buffer. Kernels whose last vector load or store goes a few bytes too far pass on
/// GPUs, which allocate in coarser units (OpenCV's pyrUp reads one byte past its image), so they should not end the program.
constexpr std::size_t kOverrun = 256;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// From here on memory comes from the system directly: zero pages, present when first touched.
constexpr std::size_t kMapThreshold = std::size_t{256} << 10;

std::size_t round_up(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

/// Large buffers lie on huge pages where the system has them: streams over several of them would otherwise
/// live on page walks.
std::byte* map_memory(std::size_t size) {
  const std::size_t slack = size >= 2 * kHugePage ? kHugePage : 0;
  void* memory = mmap(nullptr, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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

std::size_t allocated_bytes(std::size_t size) { return round_up(size + kOverrun, kMemoryAlign); }

}  // namespace

std::byte* allocate_memory(std::size_t size) noexcept {
  const std::size_t bytes = allocated_bytes(size);
  if (bytes >= kMapThreshold) return map_memory(bytes);
  auto* const memory = static_cast<std::byte*>(std::aligned_alloc(kMemoryAlign, bytes));
  // As what is mapped, and as GPUs' drivers give it: programs that read what they never wrote (ffmpeg's tonemap, for an index) meet
  // zeros there, and none meets what another part of the process has left.
  if (memory) std::memset(memory, 0, bytes);
  return memory;
}

void deallocate_memory(std::byte* memory, std::size_t size) noexcept {
  const std::size_t bytes = allocated_bytes(size);
  if (bytes >= kMapThreshold) {
    munmap(memory, bytes);
  } else {
    std::free(memory);
  }
}

}  // namespace weft::runtime
