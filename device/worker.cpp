#include "device/worker.h"

#include <sys/mman.h>

#include <algorithm>

namespace weft::device {
namespace {

std::byte* map(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

}  // namespace

bool Worker::grow(std::size_t scratch_bytes) noexcept {
  if (scratch_bytes > kMaxScratchBytes) return false;
  if (!local_memory_) {
    std::byte* memory =
        map(kLocalMemoryFront + kLocalMemoryBytes + abi::kLocalMemoryPadding + abi::kMostTableBytes + sizeof(std::uint64_t));
    if (!memory) return false;
    local_memory_ = memory + kLocalMemoryFront;
  }
  if (scratch_bytes > scratch_bytes_) {
    // Doubling keeps the number of times small when kernels of rising demand alternate.
    const std::size_t bytes = (std::max(scratch_bytes, 2 * scratch_bytes_) + 4095) & ~std::size_t{4095};
    std::byte* fresh = map(bytes);
    if (!fresh) return false;
    if (scratch_) munmap(scratch_, scratch_bytes_);
    scratch_ = fresh;
    scratch_bytes_ = bytes;
  }
  return true;
}

}  // namespace weft::device
