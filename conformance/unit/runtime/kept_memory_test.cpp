// Memory that objects have given back serves others.
#include "runtime/kept_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "runtime/host_memory.h"

namespace weft::runtime {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{8} << 20;
constexpr std::size_t kMiB = std::size_t{1} << 20;

#ifdef __SANITIZE_ADDRESS__
constexpr bool kKeeps = false;
#else
constexpr bool kKeeps = true;
#endif

std::byte* map(std::size_t size) {
  return static_cast<std::byte*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

class KeptMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!kKeeps) GTEST_SKIP() << "nothing is kept from the address sanitizer";
    unmap_kept();
  }
  void TearDown() override { unmap_kept(); }
};

TEST_F(KeptMemoryTest, SizesAreWholePagesAndLittleMore) {
  for (std::size_t bytes = 64 << 10; bytes < (std::size_t{1} << 31); bytes += bytes / 7 + 1) {
    const std::size_t size = kept_size(bytes);
    EXPECT_GE(size, bytes);
    EXPECT_LE(size, bytes + bytes / 16 + 1);
    EXPECT_EQ(size % 4096, 0u);
    EXPECT_EQ(kept_size(size), size);
  }
}

TEST_F(KeptMemoryTest, TheLastOfItsSizeComesBack) {
  std::byte* const first = map(kMiB);
  std::byte* const second = map(kMiB);
  std::byte* const other = map(2 * kMiB);
  keep_or_unmap(first, kMiB, kMost);
  keep_or_unmap(second, kMiB, kMost);
  keep_or_unmap(other, 2 * kMiB, kMost);
  EXPECT_EQ(take_kept(kMiB), second);
  EXPECT_EQ(take_kept(kMiB), first);
  EXPECT_EQ(take_kept(kMiB), nullptr);
  EXPECT_EQ(take_kept(2 * kMiB), other);
  for (std::byte* each : {first, second}) munmap(each, kMiB);
  munmap(other, 2 * kMiB);
}

TEST_F(KeptMemoryTest, TheOldestGoBeyondTheBound) {
  for (std::size_t i = 0; i < 12; ++i) keep_or_unmap(map(kMiB), kMiB, kMost);
  std::size_t count = 0;
  while (std::byte* memory = take_kept(kMiB)) {
    munmap(memory, kMiB);
    ++count;
  }
  EXPECT_EQ(count, kMost / kMiB);
  keep_or_unmap(map(16 * kMiB), 16 * kMiB, kMost);
  EXPECT_EQ(take_kept(16 * kMiB), nullptr);
}

TEST_F(KeptMemoryTest, WhatIsNotAskedForGoes) {
  keep_or_unmap(map(2 * kMiB), 2 * kMiB, kMost);
  std::byte* memory = map(kMiB);
  for (int i = 0; i < 1000; ++i) {
    keep_or_unmap(memory, kMiB, kMost);
    memory = take_kept(kMiB);
    ASSERT_NE(memory, nullptr);
  }
  munmap(memory, kMiB);
  EXPECT_EQ(take_kept(2 * kMiB), nullptr);
}

TEST_F(KeptMemoryTest, ZerosWhereTheyAreAskedFor) {
  constexpr std::size_t kSize = 300'000;
  std::byte* const first = allocate_memory(kSize);
  std::fill_n(first, kSize, std::byte{7});
  deallocate_memory(first, kSize);
  std::byte* const second = allocate_memory(kSize - 100);  // shares its block
  EXPECT_EQ(second, first);
  EXPECT_EQ(std::count(second, second + kSize - 100, std::byte{0}), static_cast<std::ptrdiff_t>(kSize - 100));
  deallocate_memory(second, kSize - 100);
}

TEST_F(KeptMemoryTest, NoBlockIsGivenTwice) {
  constexpr int kThreads = 4, kRounds = 2000;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&wrong, t] {
      for (int i = 0; i < kRounds; ++i) {
        const std::size_t size = kMiB / 2 << (i + t) % 3;
        std::byte* const memory = allocate_apart(size, Contents::kAny);
        const auto mark = static_cast<std::byte>(t + 1);
        memory[0] = memory[size - 1] = mark;
        if (i % 16 == 0) std::this_thread::yield();
        wrong += memory[0] != mark || memory[size - 1] != mark;
        deallocate_apart(memory, size);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace weft::runtime
