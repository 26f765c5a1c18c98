// A job's parts as shares: every part once, each place its own first.
#include "device/shares.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace weft::device {
namespace {

std::uint64_t one(std::uint64_t) { return 1; }

TEST(Shares, EachPlaceBeginsWithItsOwn) {
  const auto shares = Shares::make(4);
  for (int job = 0; job < 2; ++job) {
    shares->deal(10);  // 3, 3, 2, 2
    const std::uint64_t first[] = {0, 3, 6, 8};
    for (unsigned i : {2, 0, 3, 1}) {
      unsigned place = i;
      EXPECT_EQ(shares->take(place, one).first, first[i]);
      EXPECT_EQ(place, i);
    }
    EXPECT_FALSE(shares->exhausted());
  }
}

TEST(Shares, GoesOnWithWhatOthersHaveLeft) {
  const auto shares = Shares::make(3);
  shares->deal(9);
  unsigned place = 1;
  std::vector<std::uint64_t> order;
  for (auto range = shares->take(place, one); range.count; range = shares->take(place, one)) order.push_back(range.first);
  EXPECT_EQ(order, (std::vector<std::uint64_t>{3, 4, 5, 6, 7, 8, 0, 1, 2}));
  EXPECT_TRUE(shares->exhausted());
}

TEST(Shares, NoMoreThanAreLeft) {
  const auto shares = Shares::make(2);
  shares->deal(5);
  unsigned place = 0;
  EXPECT_EQ(shares->take(place, [](std::uint64_t left) { return left + 100; }).count, 3u);
  EXPECT_EQ(shares->take(place, [](std::uint64_t left) { return left; }).count, 2u);
  EXPECT_EQ(shares->take(place, one).count, 0u);
}

TEST(Shares, NothingIsLeftOfAnAbandonedJob) {
  const auto shares = Shares::make(3);
  shares->deal(30);
  unsigned place = 0;
  shares->take(place, [](std::uint64_t left) { return left; });
  shares->take(place, one);
  shares->abandon();
  EXPECT_TRUE(shares->exhausted());
  EXPECT_EQ(shares->take(place, one).count, 0u);
}

TEST(Shares, ManyThreadsTakeEveryPartOnce) {
  const auto shares = Shares::make(4);
  std::vector<std::atomic<int>> taken(100'000);
  shares->deal(taken.size());
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < 6; ++i)
    threads.emplace_back([&, place = i]() mutable {
      for (auto range = shares->take(place, [](std::uint64_t left) { return 1 + left / 8; }); range.count;
           range = shares->take(place, [](std::uint64_t left) { return 1 + left / 8; }))
        for (std::uint64_t part = range.first; part < range.first + range.count; ++part) ++taken[part];
    });
  threads.clear();
  for (const auto& times : taken) ASSERT_EQ(times, 1);
  EXPECT_TRUE(shares->exhausted());
}

}  // namespace
}  // namespace weft::device
