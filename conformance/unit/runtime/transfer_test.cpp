// Copies of boxes and fills of patterns, cut into parts.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "runtime/command.h"
#include "runtime/stream.h"

namespace weft::runtime {
namespace {

template <class Work>
void run_backwards(Work& work) {
  device::Worker worker;
  for (std::uint64_t part = work.parts(); part-- > 0;) work.run(worker, part, 1);
}

std::vector<std::byte> noise(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 131 + (i >> 8) * 7);
  return bytes;
}

TEST(CopyWork, Linear) {
  for (std::size_t size :
       {std::size_t{1}, std::size_t{4097}, std::size_t{5'000'001}, 2 * streaming_threshold() + 77}) {
    const auto from = noise(size);
    std::vector<std::byte> to(size + 1);
    CopyWork work;
    work.from = from.data();
    work.to = to.data();
    work.region = {size, 1, 1};
    work.plan();
    run_backwards(work);
    EXPECT_EQ(std::memcmp(from.data(), to.data(), size), 0);
    EXPECT_EQ(to[size], std::byte{});
  }
}

TEST(CopyWork, OverlappingOnItself) {
  auto bytes = noise(3'000'000);
  const auto before = bytes;
  CopyWork work;
  work.from = bytes.data();
  work.to = bytes.data() + 1000;
  work.region = {bytes.size() - 1000, 1, 1};
  work.plan();
  run_backwards(work);
  EXPECT_EQ(std::memcmp(bytes.data() + 1000, before.data(), before.size() - 1000), 0);
}

TEST(CopyWork, Boxes) {
  struct Case {
    std::array<std::size_t, 3> region;
    std::size_t from_row, from_slice, to_row, to_slice;
  };
  for (const Case& c :
       {Case{{16, 4, 3}, 16, 64, 16, 64}, Case{{16, 4, 3}, 20, 100, 16, 64}, Case{{16, 4, 3}, 16, 64, 16, 80},
        Case{{5, 1, 7}, 5, 9, 11, 11}, Case{{3000, 700, 2}, 3001, 3001 * 700, 3100, 3100 * 701},
        Case{{1, 5000, 9}, 2, 10000, 3, 15000}}) {
    const auto from = noise(c.from_slice * c.region[2] + 64);
    std::vector<std::byte> to(c.to_slice * c.region[2] + 64), expected(to.size());
    for (std::size_t z = 0; z < c.region[2]; ++z) {
      for (std::size_t y = 0; y < c.region[1]; ++y) {
        std::memcpy(&expected[z * c.to_slice + y * c.to_row], &from[z * c.from_slice + y * c.from_row],
                    c.region[0]);
      }
    }
    CopyWork work;
    work.from = from.data();
    work.to = to.data();
    work.region = c.region;
    work.from_row_pitch = c.from_row;
    work.from_slice_pitch = c.from_slice;
    work.to_row_pitch = c.to_row;
    work.to_slice_pitch = c.to_slice;
    work.plan();
    run_backwards(work);
    EXPECT_EQ(to, expected);
  }
}

TEST(FillWork, EveryPattern) {
  for (std::size_t pattern = 1; pattern <= 128; pattern *= 2) {
    const std::size_t large = pattern == 1 || pattern == 32 ? 5 * streaming_threshold() / 2 / pattern + 5 : 70000;
    for (std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{1000}, large}) {
      FillWork work;
      std::vector<std::byte> to(pattern * count + 1);
      work.to = to.data();
      work.size = pattern * count;
      work.pattern_size = pattern;
      for (std::size_t i = 0; i < pattern; ++i) work.pattern[i] = static_cast<std::byte>(i + 1);
      run_backwards(work);
      for (std::size_t i = 0; i < work.size; ++i) ASSERT_EQ(to[i], work.pattern[i % pattern]);
      EXPECT_EQ(to.back(), std::byte{});
    }
  }
}

TEST(StreamCopy, EveryAlignmentAndTail) {
  const auto from = noise(2000);
  for (std::size_t to_offset : {0, 1, 17, 63}) {
    for (std::size_t size = 0; size < 700; size += size < 140 ? 1 : 23) {
      std::vector<std::byte> to(1000), expected(1000);
      std::memcpy(&expected[to_offset], &from[size % 64], size);
      stream_copy(&to[to_offset], &from[size % 64], size);
      ASSERT_EQ(to, expected);
    }
  }
}

}  // namespace
}  // namespace weft::runtime
