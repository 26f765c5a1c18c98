// The launches image_copy of the second table, whose source the tables' README describes: a nearest read of a
// 512 × 512 image of floats in one of four orders, and a store to out[y * 512 + x].
#include "device/counters/global_memory.h"
#include "device/counters/texture.h"
#include "kernels.h"

namespace weft::device::counters::replay {

std::optional<Counters> run_image_copy(const Launch& launch) {
  if (launch.kernel != "image_copy") return std::nullopt;
  Counters counters;
  const unsigned width = launch.local_size[0], items = width * launch.local_size[1];
  for (unsigned group = 0; group < 512 * 512 / items; ++group) {
    const unsigned first_x = group % (512 / width) * width,
                   first_y = group / (512 / width) * launch.local_size[1];
    for (unsigned first = 0; first < items; first += kWarpSize) {
      WarpTexels texels;
      WarpAccess store;
      store.kind = Kind::store;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const unsigned x = first_x + (first + lane) % width, y = first_y + (first + lane) / width;
        const unsigned orders[4][2] = {{x, y}, {y, x}, {7 * x % 512, 3 * y % 512}, {x ^ 5, y}};
        texels.x[lane] = orders[launch.parameter][0];
        texels.y[lane] = orders[launch.parameter][1];
        store.address[lane] = 4 * (y * 512 + x);
      }
      const TextureCost read = texture_read(texels);
      const GlobalCost written = global_access(kCc90, store);
      counters["smsp__inst_executed_op_texture.sum"] += 1;
      counters["l1tex__t_requests_pipe_tex_mem_texture.sum"] += read.requests;
      counters["l1tex__t_sectors_pipe_tex_mem_texture.sum"] += read.sectors;
      counters["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"] += written.requests;
      counters["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] += written.sectors;
      counters["smsp__warps_launched.sum"] += 1;
    }
  }
  return counters;
}

}  // namespace weft::device::counters::replay
