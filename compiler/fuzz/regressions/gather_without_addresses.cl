// On AVX2 a gather whose last lanes have no address shared the register of its index and of its result (gather-indices).
// launch: 20,1,1 groups 31,1,1 coarsen 1 scalarize fuse 8
kernel void k(constant uint2* in0, uint ua, int ub, ulong uc, uint ud, global volatile uint* out0, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint n = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  const uint gid = (uint)(((get_group_id(2) * get_local_size(2) + lz) * get_global_size(1) + get_group_id(1) * get_local_size(1) + ly) * get_global_size(0) + get_group_id(0) * get_local_size(0) + lx);
  local int4 t0[512];
  local uint t1[512];
  t0[n - 1u - lid] = (int4)(lid & 63u);
  uint v2 = (uint)(0);
  uint v3 = (uint)(t0[n - 1u - lid]).s1;
  uint p5[16];
  for (uint i = 0; i < 16u; ++i) p5[i] = (uint)(1);
  for (uint size8 = 2u; size8 <= n; size8 *= 2u)
  for (uint step9 = size8 / 2u; step9 > 0u; step9 /= 2u) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint low = 2u * lid - (lid & (step9 - 1u)), high = low + step9;
    if (high < n) {
      const uint a = t1[low], b = t1[high];
      if (a > b) t1[high] = a;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((int)((in0[(gid * 8u + 7u)]).s0 & 255u)) {
  } else {
    v2 -= p5[v3 & 15u];
    t0[n - 1u - lid] = (int4)(0);
  }
  ulong h = 5ul;
  h = h * 31ul + (ulong)v2;
  digest[gid] = h;
}
