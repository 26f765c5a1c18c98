// The models of compute capability 9.0 beside those rows of the silicon tables that the platform cannot launch: reductions of
// 64-bit words.
#include <gtest/gtest.h>

#include "device/counters/global_memory.h"
#include "silicon/patterns.h"
#include "silicon/table.h"

namespace weft::device::counters {
namespace {

using conformance::silicon::Counters;
using conformance::silicon::Row;
using conformance::silicon::Tally;

Counters reduction8(const Row& row) {
  WarpAccess access;
  access.width = 8;
  access.kind = Kind::reduction;
  access.mask = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const long long index = spread_index(row.parameter, lane);
    if (index < 0) continue;
    access.mask |= 1u << lane;
    access.address[lane] = static_cast<std::uint64_t>(index) * access.width;
  }
  const GlobalCost cost = global_access(kCc90, access);
  return {{"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", cost.requests},
          {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", cost.sectors}};
}

TEST(SiliconModels, ReductionsOf64Bits) {
  Tally tally;
  for (const Row& row : conformance::silicon::read_table(WEFT_SILICON "/h200-4.tsv"))
    if (row.kernel == "reduction8") tally.compare(row, reduction8(row));
  tally.print("h200-4.tsv, reduction8");
  EXPECT_EQ(tally.counts().size(), 1u);
  for (const auto& [counter, count] : tally.counts()) EXPECT_EQ(count.second, 0u) << counter;
}

}  // namespace
}  // namespace weft::device::counters
