#include "runtime/kept_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <utility>

#include "device/spin_lock.h"

namespace weft::runtime {
namespace {

/// As many as a program has between two rounds of its work, and few enough to be gone through.
constexpr std::size_t kMostBlocks = 32;
/// A block that so many others were kept and not it taken is of a size that the program no longer uses.
constexpr std::uint64_t kMostAge = 256;

struct Block {
  std::byte* memory;
  std::size_t size;
  std::uint64_t since;  ///< the number of `keep_or_unmap` that kept it
};

/// Constant-initialized and never destroyed: static objects may give memory back at exit.
struct Kept {
  device::SpinLock lock;
  // Guarded by the lock; those kept the longest first.
  std::array<Block, kMostBlocks> blocks{};
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  std::uint64_t number = 0;

  Block remove(std::size_t index) {
    const Block block = blocks[index];
    std::move(blocks.begin() + index + 1, blocks.begin() + count, blocks.begin() + index);
    --count;
    bytes -= block.size;
    return block;
  }
};
constinit Kept kept;

void unmap(const Block& block) { munmap(block.memory, block.size); }

}  // namespace

std::size_t kept_size(std::size_t bytes) noexcept {
  const std::size_t unit = std::bit_floor(bytes) / 16;
  return (bytes + unit - 1) / unit * unit;
}

std::byte* take_kept(std::size_t size) noexcept {
  const std::lock_guard guard(kept.lock);
  // The last one first: most of it is in caches still.
  for (std::size_t i = kept.count; i-- > 0;)
    if (kept.blocks[i].size == size) return kept.remove(i).memory;
  return nullptr;
}

void keep_or_unmap(std::byte* memory, std::size_t size, std::uint64_t most) noexcept {
  const Block block{memory, size, 0};
#ifdef __SANITIZE_ADDRESS__
  most = 0;  // an access to memory that was given back is to be seen
#endif
  if (size > most) return unmap(block);
  std::array<Block, kMostBlocks> old;
  std::size_t num_old = 0;
  {
    const std::lock_guard guard(kept.lock);
    ++kept.number;
    while (kept.count > 0 && (kept.count == kMostBlocks || kept.bytes + size > most || kept.number - kept.blocks[0].since > kMostAge))
      old[num_old++] = kept.remove(0);
    kept.blocks[kept.count++] = {memory, size, kept.number};
    kept.bytes += size;
  }
  std::for_each_n(old.begin(), num_old, unmap);
}

bool unmap_kept() noexcept {
  std::array<Block, kMostBlocks> old;
  std::size_t num_old;
  {
    const std::lock_guard guard(kept.lock);
    old = kept.blocks;
    num_old = std::exchange(kept.count, 0);
    kept.bytes = 0;
  }
  std::for_each_n(old.begin(), num_old, unmap);
  return num_old > 0;
}

void lock_kept() noexcept { kept.lock.lock(); }
void unlock_kept() noexcept { kept.lock.unlock(); }

}  // namespace weft::runtime
