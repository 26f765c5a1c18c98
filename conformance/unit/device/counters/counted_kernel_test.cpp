// What counted code leaves in its words, turned into counts, with tables made by hand.
#include "device/counters/counted_kernel.h"

#include <gtest/gtest.h>

#include "device/counters/launch_counter.h"

namespace weft::device::counters {
namespace {

using abi::CountedKind;
using abi::CountedSpace;

/// One block of two lines, then `sites` and `records`; block words first.
abi::CounterTable table_of(std::vector<abi::CountedSite> sites, std::vector<abi::CountedRecord> records) {
  abi::CounterTable table;
  table.files = {"a.cl", "b.h"};
  table.blocks = {{.word = 0,
                   .lines = {{.place = {0, 3}, .arithmetic = 2, .memory = 1},
                             {.place = {1, 9}, .arithmetic = 1, .control = 2, .barriers = 1}}}};
  table.branches = {{.block = 0, .place = {0, 3}, .word = 3}, {.block = 0, .place = {1, 9}, .word = abi::kNoWord}};
  table.words = 4;
  for (abi::CountedRecord& record : records) {
    if (record.word != abi::kNoWord) record.word = table.words, table.words += record.slots;
    if (record.segment != 0) record.deltas = table.words, table.words += kWarpSize / record.segment - 1;
  }
  table.sites = std::move(sites);
  table.records = std::move(records);
  return table;
}

abi::CountedSite load_at(std::uint32_t line, std::uint16_t width = 4, CountedSpace space = CountedSpace::kGlobal) {
  return {.space = space, .kind = CountedKind::kLoad, .width = width, .align = width, .block = 0, .place = {0, line}};
}

std::shared_ptr<const CountedKernel> kernel_of(abi::CounterTable table, Capability capability = kCc90) {
  return std::make_shared<const CountedKernel>(std::move(table), Model{capability, true});
}

/// What tests look at.
struct LaunchCounts {
  explicit LaunchCounts(const LaunchSums& sums) : total(sums.total()), lines(sums.lines()) {}
  const Counts total;
  const std::vector<LineCounts> lines;
};

const Counts* line_of(const LaunchCounts& counts, const char* file, std::uint32_t line) {
  for (const LineCounts& one : counts.lines) {
    if (one.file == file && one.line == line) return &one.counts;
  }
  return nullptr;
}

TEST(CountedKernel, BlocksBecomeInstructionsOfLines) {
  LaunchCounter launch(kernel_of(table_of({}, {})));
  auto block = launch.take();
  block->words()[0] = 10;   // runs
  block->words()[1] = 300;  // lanes
  block->words()[2] = 9;    // full
  block->words()[3] = 4;    // parted
  launch.bring_back(std::move(block));
  const LaunchCounts counts(launch.finish());
  ASSERT_EQ(counts.lines.size(), 2u);
  const Counts* const first = line_of(counts, "a.cl", 3);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->warp_arithmetic, 20u);
  EXPECT_EQ(first->lane_memory, 300u);
  EXPECT_EQ(first->branches, 10u);
  EXPECT_EQ(first->divergent_branches, 4u);
  const Counts* const second = line_of(counts, "b.h", 9);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->barriers, 10u);
  EXPECT_EQ(second->lane_control, 600u);
  EXPECT_EQ(second->branches, 10u);
  EXPECT_EQ(second->divergent_branches, 0u);
  EXPECT_EQ(counts.total.warp_instructions(), 60u);
  EXPECT_EQ(counts.total.lane_instructions(), 1800u);
}

TEST(CountedKernel, GroupsWithoutSome) {
  const auto kernel = kernel_of(table_of({}, {}));
  for (const std::uint64_t groups : {2u, 0u}) {  // a block that comes back is cleared
    LaunchCounter launch(kernel);
    auto block = launch.take();
    for (std::uint64_t i = 0; i < groups; ++i) block->count_group_without_some();
    launch.bring_back(std::move(block));
    EXPECT_EQ(LaunchCounts(launch.finish()).total.groups_without_some, groups);
  }
}

TEST(CountedKernel, BlocksThatNeverRunHaveNoWords) {
  abi::CounterTable table = table_of({load_at(3)}, {{.site = 0, .segment = 32, .stride = 4, .word = abi::kNoWord}});
  table.blocks[0].word = abi::kNoWord;
  LaunchCounter launch(kernel_of(std::move(table)));
  launch.bring_back(launch.take());
  EXPECT_TRUE(launch.finish().lines().empty());
}

// A progression counted by its start costs what the model says of its addresses.
TEST(CountedKernel, StartsBecomeCosts) {
  for (const Capability& capability : known_capabilities()) {
    for (const std::int64_t stride : {0, 4, -4, 8, 12, 128, 4096}) {
      const abi::CountedRecord record{.site = 0, .segment = 32, .stride = stride, .granule = 4, .slots = 64, .word = 0};
      const auto kernel = kernel_of(table_of({load_at(7)}, {record}), capability);
      LaunchCounter starts(kernel), accesses(kernel);
      auto block = starts.take(), other = accesses.take();
      for (const unsigned start : {0u, 4u, 60u, 64u, 128u, 252u}) {
        ++block->words()[kernel->table().records[0].word + start / 4];
        std::uint64_t address[kWarpSize];
        for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = (1 << 24) + start + lane * stride;
        other->count(0, ~0u, address);
      }
      starts.bring_back(std::move(block));
      accesses.bring_back(std::move(other));
      const LaunchCounts counts(starts.finish());
      EXPECT_EQ(counts.total, accesses.finish().total()) << capability.major << "." << capability.minor << " " << stride;
      EXPECT_EQ(counts.total.global_load.requests, 6u);
    }
  }
}

TEST(CountedKernel, SegmentsTakeTheDistancesOfTheFirstAccess) {
  const abi::CountedRecord record{.site = 0, .segment = 16, .stride = 4, .granule = 4, .slots = 32, .word = 0};
  const auto kernel = kernel_of(table_of({load_at(7)}, {record}));
  const abi::CountedRecord& made = kernel->table().records[0];
  LaunchCounter launch(kernel);
  auto block = launch.take();
  EXPECT_EQ(block->words()[made.deltas], static_cast<std::uint64_t>(abi::kNoDelta));
  std::uint64_t address[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = 4096 + lane / 16 * 1000 + lane % 16 * 4;
  block->count(0, 0xffff, address);
  EXPECT_EQ(block->words()[made.deltas], static_cast<std::uint64_t>(abi::kNoDelta)) << "of whole warps alone";
  block->count(0, ~0u, address);
  EXPECT_EQ(block->words()[made.deltas], 1000u);
  block->words()[made.word + 8] += 3;  // starts at 32
  launch.bring_back(std::move(block));
  const CostSums load = launch.finish().total().global_load;
  EXPECT_EQ(load.requests, 5u);
  // Half a warp: 2 sectors. 64 bytes at 4096 and at 5096: 2 + 3. At 32 and 1032, which is 8 off a sector: 2 + 3.
  EXPECT_EQ(load.sectors, 2u + 5 + 3 * 5);
}

// A site that is copied has a block in each copy.
TEST(CountedKernel, AccessesWithoutWordsAreTheBlocksFullRuns) {
  const abi::CountedRecord record{.site = 0, .segment = 32, .stride = 0, .word = abi::kNoWord};
  abi::CountedRecord copied = record;
  copied.block = 1;
  abi::CounterTable table = table_of({load_at(7), load_at(8, 8, CountedSpace::kLocal)},
                                     {record, copied, {.site = 1, .segment = 32, .stride = 8, .word = abi::kNoWord}});
  table.blocks.push_back({.word = table.words, .lines = {}});
  table.words += abi::kBlockWords;
  const auto kernel = kernel_of(std::move(table));
  LaunchCounter launch(kernel);
  auto block = launch.take();
  block->words()[0] = 7;
  block->words()[2] = 5;
  block->words()[kernel->table().blocks[1].word + 2] = 2;
  const std::uint64_t address[kWarpSize] = {64};
  block->count(1, 1, address);  // a run that was not full
  launch.bring_back(std::move(block));
  const LaunchCounts counts(launch.finish());
  EXPECT_EQ(counts.total.global_load.requests, 5u + 2 + 1);
  EXPECT_EQ(counts.total.global_load.sectors, 5u + 2 + 1);
  EXPECT_EQ(counts.total.local_load.requests, 5u);
  EXPECT_EQ(counts.total.local_load.passes, 10u);
  EXPECT_EQ(counts.total.local_load.conflicts, 0u);
}

TEST(CountedKernel, AddressesOfSegments) {
  const abi::CountedRecord record{.site = 0, .segment = 8, .stride = 4, .word = abi::kNoWord, .by_segment = true};
  LaunchCounter launch(kernel_of(table_of({load_at(7)}, {record})));
  auto block = launch.take();
  const std::uint64_t address[4] = {0, 4096, 32, 8192};
  block->count(0, 0x01ff'ffff, address);  // one lane of the last segment
  launch.bring_back(std::move(block));
  EXPECT_EQ(launch.finish().total().global_load.sectors, 4u);
}

// float4 that is known to be aligned to 4 bytes alone is four words.
TEST(CountedKernel, WordsAreNoWiderThanTheAlignment) {
  for (const std::uint16_t align : {4, 8, 16}) {
    abi::CountedSite site = load_at(7, 16);
    site.align = align;
    LaunchCounter launch(kernel_of(table_of({site}, {{.site = 0}})));
    auto block = launch.take();
    const std::uint64_t address[kWarpSize] = {256};
    block->count(0, 1, address);
    launch.bring_back(std::move(block));
    EXPECT_EQ(launch.finish().total().global_load.requests, 16u / align);
  }
}

TEST(CountedKernel, JoinableReductionsAreOneLanes) {
  abi::CountedSite site = load_at(7);
  site.kind = CountedKind::kReduction;
  site.joinable = true;
  const std::uint64_t address[kWarpSize] = {};
  for (const bool joins : {false, true}) {
    const auto kernel = std::make_shared<const CountedKernel>(table_of({site}, {{.site = 0}}), Model{kCc90, joins});
    LaunchCounter launch(kernel);
    auto block = launch.take();
    block->count(0, ~0u, address);
    launch.bring_back(std::move(block));
    EXPECT_EQ(launch.finish().total().global_reduction.sectors, joins ? 1u : 32u);
  }
}

TEST(CountedKernel, ThreadsAddUpAndBlocksStartAnew) {
  const auto kernel = kernel_of(table_of({load_at(7)}, {{.site = 0}}));
  const std::uint64_t address[kWarpSize] = {};
  for (unsigned round = 0; round < 3; ++round) {
    LaunchCounter launch(kernel);
    auto one = launch.take(), two = launch.take(), three = launch.take();
    for (const auto* block : {&one, &two, &three}) {
      (*block)->words()[0] += 2;
      (*block)->count(0, ~0u, address);
    }
    launch.bring_back(std::move(two));
    launch.bring_back(std::move(three));
    launch.bring_back(std::move(one));
    one = launch.take();
    one->count(0, ~0u, address);
    launch.bring_back(std::move(one));
    const Counts total = launch.finish().total();
    EXPECT_EQ(total.global_load.requests, 4u);
    EXPECT_EQ(total.warp_arithmetic, 3u * 2 * 3);
  }
}

TEST(CountedKernel, ImagesByTexel) {
  abi::CountedSite site = load_at(7, 4, CountedSpace::kImage);
  LaunchCounter launch(kernel_of(table_of({site}, {{.site = 0}})));
  auto block = launch.take();
  std::uint64_t address[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    address[lane] = std::uint64_t{2} << 56 | std::uint64_t{5} << 28 | lane;  // 4-byte texels of row 5
  }
  block->count(0, ~0u, address);
  launch.bring_back(std::move(block));
  const CostSums image = launch.finish().total().image_load;
  EXPECT_EQ(image.requests, 8u);
  EXPECT_EQ(image.sectors, 8u);
  EXPECT_EQ(image.fewest, 4u);
}

}  // namespace
}  // namespace weft::device::counters
