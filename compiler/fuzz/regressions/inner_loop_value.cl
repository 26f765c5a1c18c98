// The value of an irreducible loop's inner loop, used behind the outer one.
// launch: 24,3,1 groups 2,2,1 coarsen 1
// 320 bytes of 'digest' differ, the first at 56
#define O0(k) out0[gid + ((k) & (16u - 1u)) * N]
kernel void k(constant float* in0, global const uint* restrict in1, constant uint* in2, uint ua, int ub, ulong uc, global uint* out0, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));
  const uint gid = (uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + (get_global_id(0) - get_global_offset(0)));
  uint v7 = (uint)(1);
  {
    uint n14 = 0;
    if (ub) goto l13b;
    l13a:;
    {
      v7 += atomic_inc(&O0(0u));
    }
    l13b:;
    {
    }
    if (++n14 < 4u && (as_int(in1[(long)(lid * 3u)]) > (int)(1))) goto l13a;
  }
  ulong h = 5ul;
  h = h * 31ul + (ulong)v7;
  digest[gid] = h;
}
