#include <sys/mman.h>

#include <stdexcept>

#include "kernels.h"

namespace weft::device::counters::replay {

const Buffers& buffers() {
  static const Buffers the = [] {
    constexpr std::size_t kBytes = std::size_t{256} << 20, kCount = 4;
    void* const memory = mmap(nullptr, kCount * kBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("mmap");
    recorder().set_global(memory, kCount * kBytes);
    Buffers made;
    for (std::size_t i = 0; i < kCount; ++i) made.buffer[i] = static_cast<char*>(memory) + i * kBytes;
    return made;
  }();
  return the;
}

void fill_random() {
  std::uint32_t s = 12345;
  for (unsigned i = 0; i < 65536; ++i) {
    s = s * 1664525u + 1013904223u;
    static_cast<int*>(buffers().buffer[2])[i] = static_cast<int>((s >> 8) % 65536);
    static_cast<unsigned char*>(buffers().buffer[3])[i] = static_cast<unsigned char>((s >> 16) & 255);
  }
}

}  // namespace weft::device::counters::replay
