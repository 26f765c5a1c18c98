// launch: 2,1,1 groups 20,1,1 coarsen 0 fuse 4
kernel void k(constant uint* in0, constant double* in1, uint ua, int ub, ulong uc, global uint* out0, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const size_t wide_gid = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  const uint gid = (uint)wide_gid;
  local uint t0[512];
  t0[lid] = (uint)(lid & 63u);
  uint v3 = convert_uint((int)((uint)((int)lx) * (uint)((int)3414428016ul)));
  ulong h = 5ul;
  h = h * 31ul + (ulong)v3;
  digest[gid] = h;
}
