// A merge of bits under a mask, one side of it put together from scalars: LLVM 19's vpternlog (compiler/wide/bit_merges.h).
// launch: 8,4,8 groups 1,1,1 coarsen 1
kernel void k(global const uint* restrict in0, global const long* in1, uint ua, int ub, ulong uc, global uchar* out0, global uint* out1, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint gid = (uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + (get_global_id(0) - get_global_offset(0)));
  uint v0 = (uint)(1);
  {
    uint n6 = 0;
    l5:;
    {
      v0 -= (uint)(1);
    }
    if (++n6 < 5u && ua == 12345u) goto l5;
  }
  v0 ^= in0[gid] == 1u ? v0 : bitselect(v0, (uint)lid, (uint)ly);
  digest[gid] = v0;
}
