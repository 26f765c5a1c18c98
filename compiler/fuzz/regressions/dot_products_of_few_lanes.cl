// Products of bytes, summed, in groups that fill a part of a register (compiler/simt/widen/dot_product.cpp).
// launch: 7,1,1 groups 36,2,1 coarsen 0 fuse 16
// launch: 8,1,1 groups 3,1,1 coarsen 0
// launch: 3,1,1 groups 5,1,1 coarsen 0
#define OUT(k) out[(N - 1 - i) * 32 + (k)]
kernel void k(global const float* floats_in0, global const ushort* restrict in1, global const char* in2, global const uchar* ends_0, int small_n, int small_p, int small_e, global ushort* out, global const ushort* same_as_out) {
  const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const size_t W = get_global_size(0), H = get_global_size(1), N = W * H * get_global_size(2);
  const size_t line = z * H + y, i = line * W + x;
  const uint lx = get_local_id(0), ly = get_local_id(1) + get_local_id(2) * get_local_size(1);
  const uint LW = get_local_size(0), LH = get_local_size(1) * get_local_size(2), lid = ly * LW + lx, group = LW * LH;
  local uint tile0[512], tile1[512];
  uint s = (uint)0;
  {
    const int n = 31;
    for (int q = 0; q < n; ++q) {
      s = s + (uint)(in2[q]) * (uint)(in2[i * 64 + q]);
    }
  }
  OUT(30) = (ushort)(s);
  {
    uint s = (uint)1;
    for (int t = 0; t < 2; ++t) {
      tile0[group - 1 - lid] = (uint)(in1[i + N]);
      tile1[lid] = (uint)(in2[(uint)in2[min(i + (t % 64), N - 1)] % (uint)N]);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint q = 0; q < min(LW, LH); ++q) s += tile0[q] * tile1[q * LW + lx];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    OUT(4) = (ushort)(s);
  }
}
