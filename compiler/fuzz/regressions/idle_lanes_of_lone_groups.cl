// Rows of a group that stays alone, though a block was asked for, have idle lanes: their warps had no scratch.
// launch: 16,8,1 groups 4,2,1 coarsen 1 fuse 2
#define OUT(k) out[(k) * N + i]
#define SEEN(k) out[(k) * N + i]
kernel void k(global const uint4* in0, global const ushort* in1, global const uchar* ends_0, int small_n, int small_p, int small_e, global uint4* restrict out) {
  const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const size_t W = get_global_size(0), H = get_global_size(1), N = W * H * get_global_size(2);
  const size_t line = z * H + y, i = line * W + x;
  const uint lx = get_local_id(0), ly = get_local_id(1) + get_local_id(2) * get_local_size(1);
  const uint LW = get_local_size(0), LH = get_local_size(1) * get_local_size(2), lid = ly * LW + lx, group = LW * LH;
  local uint4 tile0[512], tile1[512];
  {
    uint4 s = (uint4)1;
    for (int t = 0; t < (small_n & 3); ++t) {
      tile0[lid] = (uint4)((uint)in1[i * 32]);
      tile1[lid] = in0[i * 4 + (t % 4)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint q = 0; q < min(LW, LH); ++q) s += tile0[ly * LW + q] * tile1[ly * LW + q];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    OUT(0) = (uint4)(s);
  }
}
