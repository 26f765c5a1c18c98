// Transfers of buffers (OpenCL 3.0 API §5.2.2 to §5.2.4): where their boxes of bytes lie, and the work of their commands.
#pragma once

#include <cstddef>

#include "runtime/command.h"
#include "runtime/memory.h"

namespace weft::runtime {

using Wide = unsigned __int128;  ///< sums of products of the application's sizes do not wrap

/// A box of bytes in some memory: where it starts and the distances of its rows and slices.
struct Box {
  Wide start;
  std::size_t row_pitch, slice_pitch;
  Wide end;  ///< past its last byte
};

/// Checks pitches and region as §5.2.2 says of rectangular regions; a pitch of 0 means no gap. Throws Error.
Box make_box(const std::size_t* origin, const std::size_t* region, std::size_t row_pitch, std::size_t slice_pitch);

/// Whether two boxes of equal pitches in one memory share a byte. `a` and `b` are the boxes' starts in the memory.
/// Exact for any pitches, where the algorithm of the specification's appendix on memory copy overlap
/// takes some boxes for overlapping that interleave.
bool overlap(Wide a, Wide b, const std::size_t* region, std::size_t row_pitch, std::size_t slice_pitch);

/// Makes `target` work that moves a linear range; of no work if that is empty. The memory objects are kept alive.
void set_copy(Work& target, const std::byte* from, std::byte* to, std::size_t size, Memory& first,
              Memory* second = nullptr);

/// The same for a box.
void set_copy(Work& target, const std::byte* from, const Box& from_box, std::byte* to, const Box& to_box,
              const std::size_t* region, Memory& first, Memory* second = nullptr);

/// The same between addresses of the application's.
void set_copy(Work& target, const void* from, void* to, std::size_t size);

/// Whether a pattern of so many bytes can be repeated: a power of two up to FillWork::kMaxPattern.
bool is_pattern_size(std::size_t bytes);

/// Makes `target` work that repeats a pattern.
void set_fill(Work& target, Memory& memory, std::size_t offset, std::size_t size, const void* pattern,
              std::size_t pattern_size);
void set_fill(Work& target, void* to, std::size_t size, const void* pattern, std::size_t pattern_size);

}  // namespace weft::runtime
