#include "runtime/stream.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "runtime/machine.h"

namespace weft::runtime {

std::size_t streaming_threshold() {
  static const std::size_t bytes =
      std::max<std::size_t>(machine::last_level_cache() / 2, std::size_t{4} << 20);
  return bytes;
}

void stream_copy(std::byte* to, const std::byte* from, std::size_t size) noexcept {
  constexpr std::size_t kLine = 64;
  const std::size_t head = std::min(size, (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine);
  std::memcpy(to, from, head);
  to += head;
  from += head;
  size -= head;
  // Two lines at a time keep a processor's write-combining buffers whole.
  for (; size >= 2 * kLine; size -= 2 * kLine, to += 2 * kLine, from += 2 * kLine) {
    __m128i parts[8];
    for (int i = 0; i < 8; ++i) parts[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i);
    for (int i = 0; i < 8; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, parts[i]);
  }
  _mm_sfence();
  std::memcpy(to, from, size);
}

}  // namespace weft::runtime
