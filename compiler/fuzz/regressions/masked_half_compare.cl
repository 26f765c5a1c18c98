// LLVM 19 exchanges the operands of a masked comparison of half, where one is in memory, and leaves the predicate.
// launch: 128,1,1 groups 3,1,1 coarsen 0
// launch: 64,1,1 groups 3,1,1 coarsen 0 required-only
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define O0(k) out0[(N - 1u - gid) * 16u + ((k) & (16u - 1u))]
kernel void k(constant half2* in0, global const uint* in1, uint ua, int ub, ulong uc, global uint* out0, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));
  const uint wg = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  const uint gid = (uint)(((get_group_id(2) * get_local_size(2) + lz) * get_global_size(1) + get_group_id(1) * get_local_size(1) + ly) * get_global_size(0) + get_group_id(0) * get_local_size(0) + lx);
  uint v14 = (uint)(1);
  uint p16[16];
  for (uint i = 0; i < 16u; ++i) p16[i] = (uint)(1);
  {
    uint n18 = 0;
    l17:;
    {
      if (((half)ua < (in0[(ulong)(lid / 16u * 16u + (16u - 1u - lid % 16u))]).s0)) {
      } else {
        {
          uint n20 = 0;
          while (n20++ < 5u && ((v14 & 8u) != 0u)) {
            if (((uint)gid % 8u == 0u)) {
              O0((uint)(1)) = in1[(long)(gid % 5u)];
            }
            v14 &= (uint)lx;
          }
        }
        p16[(uint)(1) & 15u] += convert_uint((int)lid);
      }
    }
    if (++n18 < 5u && (in1[((uint)(uchar)(lid + (uint)(1)) % (N * 16u))] <= (uint)(1))) goto l17;
  }
  ulong h = 5ul;
  for (uint i = 0; i < 2u + (wg & 1u); ++i) { h = h * 31ul + (ulong)p16[(i * 3u + lid) & 15u]; }
  digest[gid] = h;
}
