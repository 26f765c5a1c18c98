// A warp of 16 items: what the other lanes hold of sorted local memory was never written, and divides here.
// launch: 4,4,1 groups 3,1,1 coarsen 1
kernel void k(global const uint* in0, uint ua, int ub, ulong uc, global uint* out0, global uint* counts, global ulong* digest, local uint* t0) {
  const uint lid = (uint)get_local_id(1) * 4u + (uint)get_local_id(0);
  const uint gid = (uint)get_group_id(0) * 16u + lid;
  local uint t1[32];
  t1[lid * 2u + 0u] = (uint)(lid & 63u);
  t1[lid * 2u + 1u] = (uint)(lid & 63u);
  for (uint size6 = 2u; size6 <= 32u; size6 *= 2u)
  for (uint step7 = size6 / 2u; step7 > 0u; step7 /= 2u) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint low = 2u * lid - (lid & (step7 - 1u)), high = low + step7;
    if (high < 32u) {
      const uint a = t1[low], b = t1[high];
      if (a > b) { t1[low] = b; t1[high] = a; }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  digest[gid] = uc / ((ulong)t1[lid * 2u] | 1ul);
}
