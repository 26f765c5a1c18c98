// Memory of buffers, images and shared allocations: the host's, which is the device's.
#pragma once

#include <cstddef>

namespace weft::runtime {

/// Of what `allocate_memory` gives: a page's.
inline constexpr std::size_t kMemoryAlign = 4096;

/// Zeros, at least `size` bytes and some more behind them. Null if there is none.
std::byte* allocate_memory(std::size_t size) noexcept;
/// `size` as it was asked for.
void deallocate_memory(std::byte* memory, std::size_t size) noexcept;

}  // namespace weft::runtime
