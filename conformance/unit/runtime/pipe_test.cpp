// How pipes lie in memory, as compiled kernels take them.
#include "runtime/pipe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "device/kernel_abi.h"
#include "runtime/error.h"

namespace weft::runtime {
namespace {

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};

TEST(Pipe, LiesWithinItsMemory) {
  for (const std::uint32_t packets : {1u, 2u, 3u, 64u, 65u, 1000u}) {
    for (const std::uint32_t bytes : {1u, 3u, 16u, 1024u}) {
      const Pipe pipe(bytes, packets);
      EXPECT_EQ(pipe.size(), std::size_t{bytes} * packets);
      const std::size_t whole = (pipe.memory_bytes() + 127) / 128 * 128;
      const std::unique_ptr<std::byte, Free> memory(static_cast<std::byte*>(std::aligned_alloc(128, whole)));
      std::fill_n(memory.get(), whole, std::byte{});
      pipe.place(memory.get());
      const auto& header = *reinterpret_cast<const abi::PipeHeader*>(memory.get());
      const std::size_t slots = std::size_t{header.mask} + 1;
      EXPECT_EQ(slots & header.mask, 0u);
      EXPECT_GE(slots, std::max(packets, 2u));
      EXPECT_LT(slots, 2 * packets + 1);
      EXPECT_EQ(header.max_packets, packets);
      // Lap 1, so that zeros are slots that are free.
      EXPECT_EQ(header.written, slots);
      EXPECT_EQ(header.read, slots);
      const auto at = [&](const void* place) { return static_cast<std::size_t>(static_cast<const std::byte*>(place) - memory.get()); };
      EXPECT_GE(at(header.slots), sizeof header);
      EXPECT_GE(at(header.packets), at(header.slots + slots));
      EXPECT_EQ(at(header.packets) % 128, 0u);
      EXPECT_LE(at(header.packets) + slots * bytes, pipe.memory_bytes());
    }
  }
}

TEST(Pipe, HasAMost) {
  EXPECT_GT(Pipe(65536, abi::kMaxPipePackets).memory_bytes(), std::size_t{65536} * abi::kMaxPipePackets);
  EXPECT_THROW(Pipe(1, abi::kMaxPipePackets + 1), Error);
}

}  // namespace
}  // namespace weft::runtime
