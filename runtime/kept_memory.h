// Large blocks of memory between two objects.
//
// Programs make a buffer for each result and give it back soon, as OpenCV's T-API does in each call. Memory that comes from the system
// costs a fault for each of its pages, which takes longer than many a kernel that fills it. So what the last objects gave back serves
// the next ones of about their size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::runtime {

/// The size in which a block of so many bytes, at least 64 KiB, is asked for and given back: up to a sixteenth more, so that sizes that
/// change a little share blocks.
std::size_t kept_size(std::size_t bytes) noexcept;

/// A block of `size`, one of kept_size()'s, with whatever its last owner left in it; null: none is kept.
std::byte* take_kept(std::size_t size) noexcept;

/// Keeps a mapping of `size`, one of kept_size()'s, or gives it back to the system. So it does with those kept the longest when more than
/// `most` bytes would be, or when many others have come and gone since.
void keep_or_unmap(std::byte* memory, std::size_t size, std::uint64_t most) noexcept;

/// Gives all of it back to the system, which has run short. False: there was none.
bool unmap_kept() noexcept;

/// For a fork: its child may want memory, too.
void lock_kept() noexcept;
void unlock_kept() noexcept;

}  // namespace weft::runtime
