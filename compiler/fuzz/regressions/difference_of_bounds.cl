// abs_diff is max - min: neither counts against the other, and yet their difference is not uniform.
// launch: 20,1,1 groups 3,1,1 coarsen 2 wide-ids
kernel void k(global const ulong* restrict in0, global const uint* in1, uint ua, int ub, ulong uc, global uint* out0, global uint* out1, global uint* counts, global ulong* digest, local uint* t1) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint gid = (uint)((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0));
  uint v11 = abs_diff((uint)lx, ua);
  ulong h = 5ul;
  h = h * 31ul + (ulong)v11;
  digest[gid] = h;
}
