// A loop took an address from the loop looked at before, whose base it had not been given.
// launch: 5,1,13 groups 3,1,1 coarsen 1 scalarize
typedef struct {
  uint f0;
  uint f1;
  float f2[2];
  uint f3[4];
  int f4;
} S0;
kernel void k(global const uint* restrict in0, global const uint* in1, uint ua, int ub, ulong uc, global uint* out0, global ulong* columns, global uint* counts, global ulong* digest, volatile local uint* t1) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint n = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));
  const uint wg = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  const uint gid = (uint)(wg * n + lid);
  uint v14 = (uint)(1);
  uint p17[16];
  for (uint i = 0; i < 16u; ++i) p17[i] = (uint)(1);
  S0 s19;
  s19.f0 = (uint)(72);
  s19.f1 = (uint)(80);
  s19.f2[0] = (float)(94);
  s19.f2[1] = (float)(94);
  s19.f3[0] = (uint)(41);
  s19.f3[1] = (uint)(41);
  s19.f3[2] = (uint)(41);
  s19.f3[3] = (uint)(41);
  s19.f4 = (int)(99);
  uint x21 = (uint)(1);
  for (uint n22 = get_local_id(0); n22 < (uint)min(N, (uint)get_local_size(0) * 5u); n22 += get_local_size(0)) {
    s19.f2[convert_uint((int)(1)) & 1u] = (float)(1);
    x21 -= x21;
  }
  v14 = x21;
  t1[lid] = (uint)(1);
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    p17[v14 & 15u] = (uint)(1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong h = 5ul;
  for (uint i = 0; i < 2u + (wg & 1u); ++i) { h = h * 31ul + (ulong)p17[(i * 3u + lid) & 15u]; }
  h = h * 31ul + (ulong)s19.f0;
  digest[gid] = h;
}
