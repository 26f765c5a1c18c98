// Memory of buffers, images and shared allocations: the host's, which is the device's.
#pragma once

#include <cstddef>

namespace weft::runtime {

/// Of what `allocate_memory` gives: a page's.
inline constexpr std::size_t kMemoryAlign = 4096;

inline std::size_t round_up(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

/// Zeros, at least `size` bytes and some more behind them. Null if there is none.
std::byte* allocate_memory(std::size_t size) noexcept;
/// `size` as it was asked for.
void deallocate_memory(std::byte* memory, std::size_t size) noexcept;

/// What memory holds that is given out. kAny: where it is large, what an earlier object left there, if it did (kept_memory.h); small
/// memory is cleared anyhow.
enum class Contents { kZeros, kAny };

/// For memory objects, whose data need only the alignment of the widest type: large ones begin at different places of a page in
/// turn. Programs give their arrays rows of the same length, often a power of two; if all began with a page, the elements that a work-group
/// reads and writes in them would share a few sets of the nearest cache.
std::byte* allocate_apart(std::size_t size, Contents contents) noexcept;
void deallocate_apart(std::byte* memory, std::size_t size) noexcept;

}  // namespace weft::runtime
