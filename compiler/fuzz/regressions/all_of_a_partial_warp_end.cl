// Every work-item of a warp that is not full ends before a barrier: lanes without a work-item have no say.
// launch: 20,1,1 groups 3,2,1 coarsen 1
typedef struct {
  uint3 f0;
} S1;
kernel void k(constant long* in0, uint ua, int ub, ulong uc, long ud, S1 us, global uint* out0, global uint* counts, global ulong* digest, local uint* t2) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint gid = (uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + (get_global_id(0) - get_global_offset(0)));
  local uint c0[8], c1[8];
  t2[lid] = (uint)(lid & 63u);
  uint v4 = (uint)(1);
  uint v5 = (uint)(1);
  if ((as_int(t2[lid]) >= (int)(0))) { digest[gid] = (ulong)v4 + 77ul; return; }
  for (uint i11 = 0u; i11 < 8u; i11 += 1u) c0[i11] = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  {
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  v5 = c0[(uint)(1) & 7u];
  barrier(CLK_LOCAL_MEM_FENCE);
}
