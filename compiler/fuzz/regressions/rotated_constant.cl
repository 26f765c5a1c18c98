// Rotating a constant by 0 gives it, not all ones: LLVM 19 shifts it by all its bits where part of the amounts is known.
// launch: 16,8,1 groups 2,2,1 coarsen 1 wide-ids
// launch: 16,8,1 groups 2,2,1 coarsen 0 wide-ids required-only
kernel  void k(global const uint* in0, global const uint* in1, uint ua, int ub, ulong uc, global uint* out0, global uint2* out1, global half* zero_shared, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint gid = (uint)(((get_group_id(2) * get_local_size(2) + lz) * get_global_size(1) + get_group_id(1) * get_local_size(1) + ly) * get_global_size(0) + get_group_id(0) * get_local_size(0) + lx);
  uint v2 = (uint)(1);
  v2 |= rotate((uint)(1), as_uint((int)lid));
  ulong h = 5ul;
  h = h * 31ul + (ulong)v2;
  digest[gid] = h;
}
