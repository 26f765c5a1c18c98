// Lanes 20 to 23 have a bit of 4 in their ids: LLVM 19 knew, and stored 0, in SSE code.
// launch: 24,3,1 groups 32,2,1 coarsen 0 wide-ids required-only
// launch: 24,3,1 groups 32,2,1 coarsen 0
#define O0(k) out0[((k) & (16u - 1u)) * N + gid]
kernel void k(global const uint* in0, uint ua, int ub, ulong uc, global volatile uint* out0, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));
  const uint gid = (uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + (get_global_id(0) - get_global_offset(0)));
  uint v6 = (uint)(((((uint)lid & 4u) != 0u) || (((uint)ly & 6u) != 0u)) ? (uint)(1) : (uint)(0));
  uint v7 = v6;
  O0((uint)(1)) = v7;
}
