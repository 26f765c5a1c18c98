// The guides' examples of occupancy, and the CUDA toolkit's calculator as a second witness.
#include <gtest/gtest.h>

#include "device/counters/occupancy.h"

namespace weft::device::counters {
namespace {

unsigned percent(Capability capability, const KernelResources& kernel) {
  return static_cast<unsigned>(occupancy(capability, kernel).ratio() * 100);
}

TEST(Occupancy, BestPractices4_2TwelveRegisters) {
  const Occupancy groups_of_128 = occupancy(kCc10, {.group_items = 128, .item_registers = 12});
  EXPECT_EQ(groups_of_128.groups, 5u);
  EXPECT_EQ(groups_of_128.limit, OccupancyLimit::registers);
  EXPECT_EQ(percent(kCc10, {.group_items = 128, .item_registers = 12}), 83u);
  EXPECT_EQ(occupancy(kCc10, {.group_items = 256, .item_registers = 12}).groups, 2u);
  EXPECT_EQ(percent(kCc10, {.group_items = 256, .item_registers = 12}), 66u);
  EXPECT_EQ(percent(kCc11, {.group_items = 256, .item_registers = 12}), 66u);
}

TEST(Occupancy, BestPractices4_2FullOccupancy) {
  EXPECT_EQ(percent(kCc11, {.group_items = 256, .item_registers = 10}), 100u);
  EXPECT_EQ(percent(kCc11, {.group_items = 256, .item_registers = 11}), 66u);
  EXPECT_EQ(percent(kCc13, {.group_items = 256, .item_registers = 16}), 100u);
  EXPECT_EQ(percent(kCc13, {.group_items = 256, .item_registers = 17}), 75u);
}

TEST(Occupancy, BestPractices4_2RegisterGranularity) {
  EXPECT_EQ(group_registers(kCc10, {.group_items = 64, .item_registers = 5}), 512u)
      << "320, in multiples of 256";
  EXPECT_EQ(group_registers(kCc13, {.group_items = 64, .item_registers = 9}), 1024u)
      << "576, in multiples of 512";
}

TEST(Occupancy, BestPractices4_3EnoughWarpsToHideLatency) {
  EXPECT_EQ(6.0 / multiprocessor_limits(kCc11).warps, 0.25);
  EXPECT_EQ(6.0 / multiprocessor_limits(kCc13).warps, 0.1875);
}

TEST(Occupancy, BestPractices4_4GroupSize) {
  EXPECT_EQ(percent(kCc11, {.group_items = 512, .item_registers = 8}), 66u);
  EXPECT_EQ(occupancy(kCc11, {.group_items = 512, .item_registers = 8}).groups, 1u);
  EXPECT_EQ(occupancy(kCc11, {.group_items = 256, .item_registers = 8}).groups, 3u);
  EXPECT_EQ(percent(kCc11, {.group_items = 256, .item_registers = 8}), 100u);
}

TEST(Occupancy, BestPractices4_5LocalMemory) {
  const KernelResources tiles{
      .group_items = 256, .item_registers = 8, .local_bytes = 6000, .argument_bytes = 16};
  EXPECT_EQ(group_local_bytes(kCc10, tiles), 6144u)
      << "arguments and 16 bytes of the system, in multiples of 512";
  EXPECT_EQ(occupancy(kCc10, tiles).groups, 2u);
  EXPECT_EQ(occupancy(kCc10, tiles).limit, OccupancyLimit::local_memory);
}

TEST(Occupancy, LaunchFails) {
  EXPECT_EQ(occupancy(kCc10, {.group_items = 513, .item_registers = 1}).groups, 0u);
  EXPECT_EQ(occupancy(kCc10, {.group_items = 512, .item_registers = 17}).groups, 0u);
  EXPECT_EQ(occupancy(kCc10, {.group_items = 64, .item_registers = 1, .local_bytes = 16384}).groups, 0u);
  EXPECT_EQ(occupancy(kCc90, {.group_items = 1024, .item_registers = 65}).groups, 0u);
  EXPECT_EQ(occupancy(kCc90, {}).limit, OccupancyLimit::launch_fails);
}

TEST(Occupancy, Limits) {
  EXPECT_EQ(occupancy(kCc10, {.group_items = 32, .item_registers = 4}).groups, 8u);
  EXPECT_EQ(occupancy(kCc10, {.group_items = 32, .item_registers = 4}).limit, OccupancyLimit::groups);
  EXPECT_EQ(occupancy(kCc90, {.group_items = 1000, .item_registers = 32}).warps, 64u)
      << "a part of a warp is one";
}

// Computed with cuda_occupancy.h of CUDA 13.0.
TEST(Occupancy, CudaCalculator) {
  const struct {
    Capability capability;
    unsigned items, registers, local_bytes, groups;
  } rows[] = {
      {kCc35, 1024, 20, 1024, 2}, {kCc35, 256, 128, 1024, 2},   {kCc35, 192, 20, 0, 10},
      {kCc35, 192, 20, 1024, 10}, {kCc35, 96, 255, 0, 2},       {kCc35, 32, 40, 48000, 1},
      {kCc35, 192, 255, 0, 1},    {kCc35, 192, 20, 1024, 10},   {kCc52, 1024, 32, 1024, 2},
      {kCc52, 96, 32, 48000, 2},  {kCc52, 1024, 63, 1024, 1},   {kCc52, 1024, 128, 0, 0},
      {kCc52, 256, 40, 48000, 2}, {kCc52, 192, 255, 0, 1},      {kCc52, 32, 63, 20000, 4},
      {kCc52, 96, 40, 48000, 2},  {kCc90, 256, 63, 48000, 4},   {kCc90, 160, 63, 48000, 4},
      {kCc90, 32, 63, 1024, 32},  {kCc90, 1024, 128, 20000, 0}, {kCc90, 1000, 20, 0, 2},
      {kCc90, 96, 40, 48000, 4},  {kCc90, 1024, 32, 48000, 2},  {kCc90, 160, 63, 48000, 4},
  };
  for (const auto& row : rows) {
    const KernelResources kernel{row.items, row.registers, row.local_bytes};
    EXPECT_EQ(occupancy(row.capability, kernel).groups, row.groups)
        << row.capability.major << '.' << row.capability.minor << ": " << row.items << " items, "
        << row.registers << " registers, " << row.local_bytes << " bytes";
  }
}

TEST(Capability, Parse) {
  EXPECT_EQ(parse_capability("1.3"), kCc13);
  EXPECT_EQ(parse_capability("9.0"), kCc90);
  for (const char* text : {"", "1", "1.4", "9.00", "4.0", "sm_90", "1,3", " 1.3"}) {
    EXPECT_FALSE(parse_capability(text)) << text;
  }
  for (const Capability& known : known_capabilities()) EXPECT_GT(multiprocessor_limits(known).warps, 0u);
}

}  // namespace
}  // namespace weft::device::counters
