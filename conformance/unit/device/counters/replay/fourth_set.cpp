// The fourth table: one warp's reductions, over many lines.
#include "conformance/silicon/patterns.h"
#include "device/counters/global_memory.h"
#include "kernels.h"

namespace weft::device::counters::replay {

std::optional<Counters> run_fourth_set(const Launch& launch) {
  const bool wide = launch.kernel == "reduction8";
  if (!wide && launch.kernel != "reduction4") return std::nullopt;
  WarpAccess access;
  access.width = wide ? 8 : 4;
  access.kind = Kind::reduction;
  access.mask = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const long long index = spread_index(launch.parameter, lane);
    if (index < 0) continue;
    access.mask |= 1u << lane;
    access.address[lane] = static_cast<std::uint64_t>(index) * access.width;
  }
  const GlobalCost cost = global_access(kCc90, access);
  return Counters{{"smsp__warps_launched.sum", 1},
                  {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", cost.requests},
                  {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", cost.sectors}};
}

}  // namespace weft::device::counters::replay
