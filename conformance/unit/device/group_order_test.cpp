#include "device/group_order.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace weft::device {
namespace {

using Groups = std::array<std::uint64_t, 3>;

void expect_each_once(const Groups& groups, bool squares) {
  const std::uint64_t sizes[3] = {groups[0], groups[1], groups[2]};
  const GroupOrder order(sizes, squares);
  ASSERT_EQ(order.count(), groups[0] * groups[1] * groups[2]);
  std::vector<bool> seen(order.count());
  std::uint64_t id[3];
  order.start(0, id);
  for (std::uint64_t i = 0; i < order.count(); ++i, order.next(id)) {
    for (int d = 0; d < 3; ++d) ASSERT_LT(id[d], groups[static_cast<std::size_t>(d)]);
    const std::uint64_t linear = id[0] + groups[0] * (id[1] + groups[1] * id[2]);
    ASSERT_FALSE(seen[linear]);
    seen[linear] = true;
    if (!squares) ASSERT_EQ(linear, i);
    // A chunk may begin anywhere.
    std::uint64_t started[3];
    order.start(i, started);
    for (int d = 0; d < 3; ++d) ASSERT_EQ(started[d], id[d]);
  }
}

TEST(GroupOrder, VisitsEachGroupOnce) {
  for (const Groups& groups : {Groups{1, 1, 1}, Groups{1, 77, 1}, Groups{77, 1, 3}, Groups{5, 8, 2}, Groups{7, 9, 3},
                               Groups{3, 16, 1}, Groups{13, 31, 2}, Groups{64, 7, 1}}) {
    expect_each_once(groups, false);
    expect_each_once(groups, true);
  }
}

TEST(GroupOrder, StaysInASquare) {
  const std::uint64_t groups[3] = {100, 100, 1};
  const GroupOrder order(groups, true);
  std::uint64_t id[3];
  for (std::uint64_t i = 0; i < GroupOrder::kSide * GroupOrder::kSide; ++i) {
    order.start(i, id);
    EXPECT_EQ(id[0], i % GroupOrder::kSide);
    EXPECT_EQ(id[1], i / GroupOrder::kSide);
  }
  order.start(GroupOrder::kSide * GroupOrder::kSide, id);
  EXPECT_EQ(id[0], GroupOrder::kSide);
  EXPECT_EQ(id[1], 0u);
}

}  // namespace
}  // namespace weft::device
