// launch: 32,1,1 groups 1,1,1 coarsen 1
kernel void k(constant uint4* in0, uint ua, int ub, ulong uc, int ud, global uint* out0, global ushort* out1, global uint* counts, global ulong* digest, local uint* t0) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));
  const uint gid = (uint)(((get_group_id(2) * get_local_size(2) + lz) * get_global_size(1) + get_group_id(1) * get_local_size(1) + ly) * get_global_size(0) + get_group_id(0) * get_local_size(0) + lx);
  uint v3 = (uint)(1);
  {
    for (uint n6 = 0;; ++n6) {
      if (n6 >= 5u) break;
      {
        v3 *= popcount(((in0[(N - 1u - gid)]).s2 << (uint)65535u));
      }
      if ((int)(0)) break;
    }
    out7:;
  }
  ulong h = 5ul;
  h = h * 31ul + (ulong)v3;
  digest[gid] = h;
}
