// What a launch's numbers stand for, with a layout made by hand.
#include "device/counters/launch_sums.h"

#include <gtest/gtest.h>

#include "device/counters/counts_names.h"

namespace weft::device::counters {
namespace {

std::uint32_t place_of(const std::string& name) {
  const std::vector<std::string> names = names_of_sums();
  return static_cast<std::uint32_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// Two lines, and of the launch itself its size and what lines do not add up to.
LaunchSums traced_launch() {
  auto layout = std::make_shared<SumsLayout>();
  layout->places = {place_of("groups"), place_of("warps"), place_of("partition_steps"), place_of("global_load.requests"), place_of("partition_steps"),
                    place_of("global_load.requests"), place_of("warp_memory"), place_of("partition_steps")};
  layout->of_launch = 3;
  layout->lines = {{"a.cl", 3, 3, 2}, {"a.cl", 7, 5, 3}};
  return {std::move(layout), {0, 0, 10, 4, 8, 5, 6, 7}, {}};
}

TEST(LaunchSums, LinesAddUpButForWhatTheLaunchHasItself) {
  LaunchSums launch = traced_launch();
  launch.add_size(2, 16);
  launch.add_size(1, 1);
  const Counts total = launch.total();
  EXPECT_EQ(total.groups, 3u);
  EXPECT_EQ(total.warps, 17u);
  EXPECT_EQ(total.partition_steps, 10u);
  EXPECT_EQ(total.global_load.requests, 9u);
  EXPECT_EQ(total.warp_memory, 6u);
  const std::vector<LineCounts> lines = launch.lines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].line, 3u);
  EXPECT_EQ(lines[0].counts.global_load.requests, 4u);
  EXPECT_EQ(lines[0].counts.partition_steps, 8u);
  EXPECT_EQ(lines[1].counts.warp_memory, 6u);
  EXPECT_EQ(lines[1].counts.groups, 0u);
}

TEST(LaunchSums, LinesThatDidNothingAreNone) {
  LaunchSums launch = traced_launch();
  launch.sums[3] = launch.sums[4] = 0;
  const std::vector<LineCounts> lines = launch.lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].line, 7u);
  EXPECT_TRUE(LaunchSums().lines().empty());
  EXPECT_EQ(LaunchSums().total(), Counts());
}

}  // namespace
}  // namespace weft::device::counters
