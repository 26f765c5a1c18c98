// Copies past the caches, for transfers larger than they are.
#pragma once

#include <cstddef>

namespace weft::runtime {

/// Whether what writes `written` bytes, and reads `read`, should write past the caches: where these hold it all, the next to read or write it finds it there,
/// and else nothing of it, and lines need not be read before they are written. `follows`: lines are written one behind the other, which prefetchers follow, so
/// that a bit more than caches hold is as well written to them. (Zen 3: a 64 MiB copy 3.7 ms against 10.5 ms. Zen 4, 32 MiB of cache, two processors: 16 MiB
/// of floats out of 4 MiB of bytes 0.60 ms against 0.13 ms, copies of 16 MiB as long either way: conformance/bench/elements.py --settled.)
bool goes_past_caches(std::size_t written, std::size_t read, bool follows = true);

/// The least that is written past the caches: half of what all caches hold together, as where as much is read.
std::size_t streaming_threshold();

/// memcpy with non-temporal stores, visible to other threads at the return. The ranges must not overlap.
void stream_copy(std::byte* to, const std::byte* from, std::size_t size) noexcept;

}  // namespace weft::runtime
