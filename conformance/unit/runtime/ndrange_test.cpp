// The index space: what is refused, and the local size that is chosen where none is given.
#include "runtime/ndrange.h"

#include <gtest/gtest.h>

namespace weft::runtime {
namespace {

std::size_t work_items(const Sizes& local) { return local[0] * local[1] * local[2]; }

cl_int code_of(std::uint32_t dim, Sizes global, const Sizes* local = nullptr, const Sizes* offset = nullptr,
               const compiler::KernelInfo& kernel = {}) {
  try {
    make_ndrange(kernel, dim, offset ? offset->data() : nullptr, global.data(),
                 local ? local->data() : nullptr, 4);
    return CL_SUCCESS;
  } catch (const Error& error) {
    return error.code;
  }
}

TEST(NdRange, RefusesWhatTheSpecificationDoes) {
  const Sizes three{3, 1, 1}, zero{0, 1, 1}, huge{2048, 1, 1}, many{64, 64, 1}, far{SIZE_MAX - 10, 0, 0};
  EXPECT_EQ(code_of(0, {1, 1, 1}), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(code_of(4, {1, 1, 1}), CL_INVALID_WORK_DIMENSION);
  compiler::KernelInfo uniform;
  uniform.has_uniform_groups = true;
  EXPECT_EQ(code_of(1, {64, 1, 1}, &three), CL_SUCCESS);
  EXPECT_EQ(code_of(1, {64, 1, 1}, &three, nullptr, uniform), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(code_of(1, {64, 1, 1}, &zero), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(code_of(1, {4096, 1, 1}, &huge), CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(code_of(2, {64, 64, 1}, &many), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(code_of(1, {64, 1, 1}, nullptr, &far), CL_INVALID_GLOBAL_OFFSET);
  EXPECT_EQ(code_of(3, {SIZE_MAX / 2, 4, 4}), CL_INVALID_GLOBAL_WORK_SIZE);
  EXPECT_EQ(code_of(2, {64, 0, 1}), CL_SUCCESS);
  compiler::KernelInfo required;
  required.reqd_work_group_size[0] = 8;
  required.reqd_work_group_size[1] = required.reqd_work_group_size[2] = 1;
  const Sizes eight{8, 1, 1};
  EXPECT_EQ(code_of(1, {64, 1, 1}, nullptr, nullptr, required), CL_SUCCESS);
  EXPECT_EQ(code_of(1, {64, 1, 1}, &eight, nullptr, required), CL_SUCCESS);
  EXPECT_EQ(code_of(1, {63, 1, 1}, nullptr, nullptr, required), CL_SUCCESS);
  EXPECT_EQ(code_of(1, {12, 1, 1}, &three, nullptr, required), CL_INVALID_WORK_GROUP_SIZE);
  required.has_uniform_groups = true;
  EXPECT_EQ(code_of(1, {63, 1, 1}, nullptr, nullptr, required), CL_INVALID_WORK_GROUP_SIZE);
}

TEST(NdRange, ChosenSizesDivideAndAreGood) {
  for (unsigned workers : {1u, 2u, 64u}) {
    for (std::size_t x = 1; x < 3000; x += x < 70 ? 1 : 61) {
      const Sizes line = choose_local_size(1, {x, 1, 1}, workers);
      EXPECT_EQ(x % line[0], 0u);
      EXPECT_LE(work_items(line), 1024u);
      for (std::size_t y : {1, 7, 64, 1000}) {
        for (std::size_t z : {1, 30}) {
          const Sizes local = choose_local_size(3, {x, y, z}, workers);
          EXPECT_TRUE(x % local[0] == 0 && y % local[1] == 0 && z % local[2] == 0);
          EXPECT_LE(work_items(local), 1024u);
        }
      }
    }
  }
  EXPECT_EQ(choose_local_size(1, {1 << 20, 1, 1}, 2), (Sizes{256, 1, 1}));
  // Rows that are no whole warps, with few idle lanes.
  EXPECT_EQ(choose_local_size(2, {1000, 700, 1}, 2), (Sizes{250, 1, 1}));
  EXPECT_EQ(choose_local_size(2, {333, 77, 1}, 2), (Sizes{333, 1, 1}));
  EXPECT_EQ(choose_local_size(2, {700, 1000, 1}, 2), (Sizes{350, 1, 1}));
  EXPECT_EQ(choose_local_size(2, {1366, 768, 1}, 2), (Sizes{683, 1, 1}));
  EXPECT_EQ(choose_local_size(2, {60, 100, 1}, 2), (Sizes{60, 4, 1}));
  EXPECT_EQ(choose_local_size(2, {100, 100, 1}, 2), (Sizes{100, 2, 1}));
  EXPECT_EQ(choose_local_size(2, {10, 1000, 1}, 2), (Sizes{10, 25, 1}));
  EXPECT_EQ(choose_local_size(2, {1024, 1024, 1}, 2), (Sizes{64, 4, 1}));
  EXPECT_EQ(choose_local_size(1, {1000, 1, 1}, 2), (Sizes{250, 1, 1}));
  EXPECT_EQ(choose_local_size(1, {256, 1, 1}, 4), (Sizes{64, 1, 1}));
  EXPECT_EQ(choose_local_size(1, {256, 1, 1}, 64), (Sizes{64, 1, 1}));
}

TEST(NdRange, WarpsAlongYWhereMemoryIs) {
  compiler::KernelInfo kernel;
  kernel.along_y = true;
  const auto local = [&](std::uint32_t work_dim, Sizes global, unsigned workers) {
    return make_ndrange(kernel, work_dim, nullptr, global.data(), nullptr, workers).local;
  };
  EXPECT_EQ(local(2, {1024, 1024, 1}, 2), (Sizes{1, 256, 1}));
  EXPECT_EQ(local(2, {1, 1024, 1}, 16), (Sizes{1, 64, 1}));
  EXPECT_EQ(local(2, {1024, 20, 1}, 2), choose_local_size(2, {1024, 20, 1}, 2));
  EXPECT_EQ(local(1, {1024, 1, 1}, 2), (Sizes{256, 1, 1}));
  kernel.reqd_work_group_size[0] = 8;
  kernel.reqd_work_group_size[1] = kernel.reqd_work_group_size[2] = 1;
  EXPECT_EQ(local(2, {1024, 1024, 1}, 2), (Sizes{8, 1, 1}));
}

TEST(NdRange, LaunchesAreTurnedToWhereMemoryLies) {
  compiler::KernelInfo kernel;
  kernel.turned = 2;
  const Sizes global{10, 20, 640}, offset{1, 2, 3}, local{2, 4, 8};
  const NDRange range = make_ndrange(kernel, 3, offset.data(), global.data(), local.data(), 2);
  EXPECT_EQ(range.local, local);
  const NDRange turned = as_it_runs(kernel, range, 2);
  EXPECT_EQ(turned.turned, 2u);
  EXPECT_EQ(turned.global, (Sizes{640, 20, 10}));
  EXPECT_EQ(turned.offset, (Sizes{3, 2, 1}));
  EXPECT_EQ(turned.local, (Sizes{8, 4, 2}));
  EXPECT_EQ(specialization_of(kernel, turned, 2).best.turned, 2u);
  // Where none is given, as for a kernel that lies along x.
  EXPECT_EQ(as_it_runs(kernel, make_ndrange(kernel, 3, nullptr, global.data(), nullptr, 2), 2).local, choose_local_size(3, {640, 20, 10}, 2));
  // Not where that would leave lanes without work: a launch of one dimension, whose kernel counts along two.
  const Sizes row{640, 1, 1}, few{16, 1, 16};
  EXPECT_EQ(as_it_runs(kernel, make_ndrange(kernel, 1, nullptr, row.data(), nullptr, 2), 2).turned, 0u);
  EXPECT_EQ(as_it_runs(kernel, make_ndrange(kernel, 3, nullptr, few.data(), nullptr, 2), 2).turned, 2u);
  // Half a warp, which a group holds as a whole.
  kernel.turned = 1;
  const Sizes halves{32, 16, 1}, tall{4, 16, 1}, flat{32, 4, 1};
  EXPECT_EQ(as_it_runs(kernel, make_ndrange(kernel, 2, nullptr, halves.data(), tall.data(), 2), 2).turned, 1u);
  EXPECT_EQ(as_it_runs(kernel, make_ndrange(kernel, 2, nullptr, halves.data(), flat.data(), 2), 2).turned, 0u);
  EXPECT_EQ(as_it_runs(kernel, make_ndrange(kernel, 2, nullptr, halves.data(), nullptr, 2), 2).turned, 1u);
  kernel.turned = 0;
  EXPECT_EQ(as_it_runs(kernel, range, 2).local, local);
}

TEST(NdRange, RowsWithoutDivisorsAreCutAnywhere) {
  compiler::KernelInfo kernel;
  const Sizes prime{2039, 300, 1};
  const auto local = [&] { return make_ndrange(kernel, 2, nullptr, prime.data(), nullptr, 2).local; };
  EXPECT_EQ(local()[0], 1u);
  EXPECT_GT(local()[1], 1u);
  kernel.fusion = compiler::GroupFusion::kAny;
  EXPECT_EQ(local(), (Sizes{1, 1, 1}));
}

TEST(NdRange, FewChunksGoToAllWorkers) {
  compiler::KernelInfo kernel;
  const auto launch = [&](const Sizes& global, const Sizes* local) {
    return make_ndrange(kernel, 1, nullptr, global.data(), local ? local->data() : nullptr, 2);
  };
  const auto groups = [&](const Sizes& global) { return specialization_of(kernel, launch(global, nullptr), 2).best.groups; };
  const Sizes few{64, 1, 1}, many{4096, 1, 1}, ones{1, 1, 1}, warps{32, 1, 1};
  kernel.chunks = compiler::OwnChunks::kBeside;
  EXPECT_EQ(launch(few, nullptr).local, (Sizes{64, 1, 1}));  // the kernel keeps something to its groups
  kernel.fusion = compiler::GroupFusion::kAny;
  EXPECT_EQ(launch(few, nullptr).local, ones);
  EXPECT_EQ(groups(few), 32u);
  EXPECT_EQ(groups({8, 1, 1}), 4u);
  EXPECT_EQ(launch(many, nullptr).local, choose_local_size(1, many, 2));
  kernel.chunks = compiler::OwnChunks::kAlone;
  EXPECT_EQ(groups(few), 1u);
  EXPECT_EQ(specialization_of(kernel, launch(few, &ones), 2).first().groups, 1u);
  EXPECT_EQ(specialization_of(kernel, launch(many, &ones), 2).best.groups, 256u);
  EXPECT_EQ(launch(few, &warps).local, warps);
  kernel.reqd_work_group_size[0] = 32;
  kernel.reqd_work_group_size[1] = kernel.reqd_work_group_size[2] = 1;
  EXPECT_EQ(launch(few, nullptr).local, warps);
}

TEST(NdRange, SpecializationKnowsWideIds) {
  const compiler::KernelInfo kernel;
  NDRange range;
  range.global = {std::size_t{1} << 20, 1, 1};
  EXPECT_TRUE(specialization_of(kernel, range, 2).best.ids_fit_31_bits);
  range.offset[0] = std::size_t{1} << 30;
  EXPECT_FALSE(specialization_of(kernel, range, 2).best.ids_fit_31_bits);
}

TEST(NdRange, SpecializationKnowsWhatAnyGroupsServe) {
  compiler::KernelInfo kernel;
  NDRange range;
  range.global = {512, 1, 1};
  range.local = {64, 1, 1};
  const auto any_groups_of = [&](bool counted = false) { return specialization_of(kernel, range, 2, false, counted).any_groups_of; };
  EXPECT_EQ(any_groups_of(), 0u);
  kernel.has_any_groups = true;
  EXPECT_EQ(any_groups_of(), 512u);
  EXPECT_EQ(any_groups_of(true), 0u);  // what is counted runs as it was asked to
  range.global[1] = 2;
  EXPECT_EQ(any_groups_of(), 0u);
}

TEST(NdRange, SmallGroupsFuse) {
  compiler::KernelInfo kernel;
  const auto groups = [&](const Sizes& global, const Sizes& local, unsigned workers) {
    NDRange range;
    range.global = global;
    range.local = local;
    return specialization_of(kernel, range, workers).best.groups;
  };
  EXPECT_EQ(groups({1 << 20, 1, 1}, {1, 1, 1}, 2), 1u);  // the kernel does not allow it
  kernel.fusion = compiler::GroupFusion::kAny;
  EXPECT_EQ(groups({1 << 20, 1, 1}, {1, 1, 1}, 2), 256u);
  EXPECT_EQ(groups({1 << 20, 1, 1}, {16, 1, 1}, 2), 16u);
  EXPECT_EQ(groups({1 << 10, 1 << 10, 1}, {4, 4, 1}, 2), 16u);
  EXPECT_EQ(groups({1 << 20, 1, 1}, {32, 1, 1}, 2), 1u);  // whole warps already
  EXPECT_EQ(groups({16, 1, 1}, {1, 1, 1}, 16), 1u);       // a group for each worker
  EXPECT_EQ(groups({3, 1 << 10, 1}, {1, 1, 1}, 2), 4u);   // no more than there are along x
}

TEST(NdRange, BlocksHaveTheRowsThatMemoryAsksFor) {
  compiler::KernelInfo kernel;
  kernel.fusion = compiler::GroupFusion::kAny;
  kernel.preferred_row = kernel.preferred_single_row = 256;
  const auto groups = [&](const Sizes& global, const Sizes& local, unsigned workers = 2) {
    NDRange range;
    range.global = global;
    range.local = local;
    const LaunchCode code = specialization_of(kernel, range, workers);
    EXPECT_TRUE(code.best.whole_blocks);
    EXPECT_EQ(code.first(), code.best);
    return code.best.groups;
  };
  EXPECT_EQ(groups({1024, 1024, 1}, {16, 16, 1}), 16u);
  EXPECT_EQ(groups({1024, 1024, 1}, {8, 8, 1}), 32u);
  EXPECT_EQ(groups({1920, 1080, 1}, {16, 8, 1}), 8u);    // 120 groups of 16: whole blocks
  EXPECT_EQ(groups({1008, 1008, 1}, {16, 16, 1}), 1u);   // 63
  EXPECT_EQ(groups({1280, 64, 1}, {20, 8, 1}), 8u);      // 160 work-items, whole warps
  EXPECT_EQ(groups({256, 256, 1}, {16, 16, 1}, 16), 2u); // enough blocks for all workers
  EXPECT_EQ(groups({1 << 20, 1, 1}, {256, 1, 1}), 1u);   // long enough
  kernel.preferred_row = 32;
  EXPECT_EQ(groups({1024, 1024, 1}, {16, 16, 1}), 2u);
  EXPECT_EQ(groups({1024, 1024, 1}, {4, 64, 1}), 8u);
  EXPECT_EQ(groups({1024, 1024, 1}, {32, 8, 1}), 1u);
  kernel.preferred_single_row = 128;
  EXPECT_EQ(groups({1024, 1024, 1}, {32, 8, 1}), 1u);
  EXPECT_EQ(groups({1024, 1024, 1}, {32, 1, 1}), 4u);  // nothing below that would want the same again
  EXPECT_EQ(groups({1 << 20, 1, 1}, {64, 1, 1}), 2u);
  EXPECT_EQ(groups({1 << 20, 1, 1}, {128, 1, 1}), 1u);
  EXPECT_EQ(groups({64 * 1023, 1, 1}, {64, 1, 1}), 1u);  // whole blocks
  const auto most_groups = [&](const Sizes& global, const Sizes& local) {
    NDRange range;
    range.global = global;
    range.local = local;
    return specialization_of(kernel, range, 2).most_groups;
  };
  EXPECT_EQ(most_groups({32 * 1023, 1, 1}, {32, 1, 1}), 4u);
  EXPECT_EQ(most_groups({32 * 1022, 1, 1}, {32, 1, 1}), 0u);  // 64 are nearly as good as 128
  EXPECT_EQ(most_groups({32 * 1024, 1, 1}, {32, 1, 1}), 0u);
  EXPECT_EQ(most_groups({32 * 3, 1, 1}, {32, 1, 1}), 0u);     // too few
  EXPECT_EQ(most_groups({32 * 7, 100, 1}, {32, 1, 1}), 4u);
  NDRange range;
  range.global = {1024, 1024, 1};
  range.local = {16, 16, 1};
  EXPECT_EQ(specialization_of(kernel, range, 2, true).best.groups, 1u);  // what is counted runs as it was asked to
  kernel.fusion = compiler::GroupFusion::kNone;
  EXPECT_EQ(groups({1024, 1024, 1}, {16, 16, 1}), 1u);
}

TEST(NdRange, TablesOfTheirOwnKeepGroupsApart) {
  compiler::KernelInfo kernel;
  kernel.fusion = compiler::GroupFusion::kSingleItems;
  const auto groups = [&](std::uint64_t gathered_bytes, std::size_t local) {
    kernel.gathered_bytes = gathered_bytes;
    NDRange range;
    range.global = {1 << 16, 1, 1};
    range.local = {local, 1, 1};
    return specialization_of(kernel, range, 2).best.groups;
  };
  EXPECT_EQ(groups(0, 1), 256u);
  EXPECT_EQ(groups(0, 2), 1u);  // of one work-item alone
  EXPECT_EQ(groups(1 << 10, 1), 256u);
  EXPECT_EQ(groups(1152, 1), 16u);
  EXPECT_EQ(groups(4 << 10, 1), 8u);
  EXPECT_EQ(groups(16 << 10, 1), 1u);
  // Programs that begin with one work-item begin with the code that more are going to run.
  kernel.asks_for_ids = true;
  const auto first = [&](std::uint64_t gathered_bytes) {
    kernel.gathered_bytes = gathered_bytes;
    NDRange range;
    range.global = range.local = {1, 1, 1};
    return specialization_of(kernel, range, 2).first_groups;
  };
  EXPECT_EQ(first(0), 32u);
  EXPECT_EQ(first(1152), 16u);
  EXPECT_EQ(first(4 << 10), 1u);
}

TEST(NdRange, GathersCostByLane) {
  compiler::KernelInfo kernel;
  kernel.fusion = compiler::GroupFusion::kSingleItems;
  kernel.gathered_bytes = 4096;
  kernel.instructions = 1000;
  NDRange range;
  range.local = {1, 1, 1};
  const auto groups = [&](std::uint32_t accesses, std::size_t work_items) {
    kernel.gathering_accesses = accesses;
    range.global = {work_items, 1, 1};
    return specialization_of(kernel, range, 2).best.groups;
  };
  // A few: lanes of a vector, though it leaves a worker idle. Every fifth instruction: as many work-items as workers side by side.
  EXPECT_EQ(groups(2, 4), 4u);
  EXPECT_EQ(groups(200, 4), 1u);
  EXPECT_EQ(groups(2, 64), 8u);
}

TEST(NdRange, FirstCodeServesMoreGroups) {
  compiler::KernelInfo kernel;
  kernel.fusion = compiler::GroupFusion::kSingleItems;
  const auto code = [&](std::size_t groups, unsigned workers = 2) {
    NDRange range;
    range.global = {groups, 1, 1};
    return specialization_of(kernel, range, workers);
  };
  EXPECT_EQ(code(2, 4).best.groups, 1u);
  EXPECT_EQ(code(2, 4).first().groups, 32u);
  EXPECT_FALSE(code(2, 4).first().whole_blocks);
  EXPECT_EQ(code(2).first().groups, 1u);  // made for a work-item a processor
  EXPECT_EQ(code(4, 4).first().groups, 1u);
  EXPECT_EQ(code(1).first().groups, 1u);  // a program of one work-item
  kernel.asks_for_ids = true;
  EXPECT_EQ(code(1).first().groups, 32u);  // one that begins with one
  EXPECT_EQ(code(1 << 16).first(), code(1 << 16).best);
  EXPECT_EQ(code(1, 1).first().groups, 32u);
  kernel.asks_for_sizes = true;
  EXPECT_EQ(code(2, 4).first().groups, 1u);  // perhaps a work-item a processor
}

TEST(NdRange, PartsOfOneSizeEach) {
  NDRange range;
  range.global = {96, 4, 1};
  range.local = {32, 2, 1};
  EXPECT_EQ(parts_of(range).size(), 1u);
  range.global = {100, 5, 1};
  range.offset = {7, 0, 0};
  const auto parts = parts_of(range);
  ASSERT_EQ(parts.size(), 4u);
  std::size_t work_items = 0, groups = 0;
  for (const RangePart& part : parts) {
    for (unsigned d = 0; d < 3; ++d) EXPECT_EQ(part.range.global[d] % part.range.local[d], 0u);
    work_items += part.range.global[0] * part.range.global[1];
    groups += part.range.num_groups();
    for (unsigned d = 0; d < 3; ++d) EXPECT_EQ(part.range.offset[d], range.offset[d] + part.first_group[d] * range.local[d]);
  }
  EXPECT_EQ(work_items, 500u);
  EXPECT_EQ(groups, range.num_groups());
  EXPECT_EQ(parts[0].range.local, (Sizes{32, 2, 1}));
  EXPECT_EQ(parts[0].range.global, (Sizes{96, 4, 1}));
  EXPECT_EQ(parts[3].range.local, (Sizes{4, 1, 1}));
  range.global = {5, 1, 1};
  ASSERT_EQ(parts_of(range).size(), 1u);
  EXPECT_EQ(parts_of(range)[0].range.local, (Sizes{5, 1, 1}));
}

TEST(NdRange, TallGroupsDivide) {
  compiler::KernelInfo kernel;
  NDRange range;
  range.global = {1920, 1080, 1};
  range.local = {64, 4, 1};
  EXPECT_EQ(in_tall_groups(kernel, range, 2).local, (Sizes{64, 4, 1}));
  kernel.tall_rows = 16;
  EXPECT_EQ(in_tall_groups(kernel, range, 2).local, (Sizes{32, 30, 1}));
  range.global = {1024, 1024, 1};
  EXPECT_EQ(in_tall_groups(kernel, range, 2).local, (Sizes{32, 32, 1}));
  EXPECT_EQ(in_tall_groups(kernel, range, 1024).local, (Sizes{64, 4, 1})) << "workers without a group";
  range.global = {1024, 1021, 1};
  EXPECT_EQ(in_tall_groups(kernel, range, 2).local, (Sizes{64, 4, 1})) << "a prime";
  range.global = {1000, 1024, 1};
  EXPECT_EQ(in_tall_groups(kernel, range, 2).local, (Sizes{64, 4, 1})) << "no whole warps";
  kernel.tall_rows = 32;
  range.global = {1920, 1080, 1};
  EXPECT_EQ(in_tall_groups(kernel, range, 2).local, (Sizes{64, 4, 1})) << "fewer than serve";
}

TEST(NdRange, PartialBlocksAreKnown) {
  compiler::KernelInfo kernel;
  kernel.fusion = compiler::GroupFusion::kAny;
  NDRange range;
  range.global = {1 << 16, 1, 1};
  EXPECT_TRUE(specialization_of(kernel, range, 2).best.whole_blocks);
  range.global = {(1 << 16) + 1, 1, 1};
  EXPECT_FALSE(specialization_of(kernel, range, 2).best.whole_blocks);
}

}  // namespace
}  // namespace weft::runtime
