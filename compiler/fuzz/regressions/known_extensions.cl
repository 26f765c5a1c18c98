// A row's id in the lanes of a block: LLVM 19 lost constants that it knew in extensions of 16 bits, in SSE code.
// launch: 4,4,1 groups 6,2,1 coarsen 0 scalarize fuse 2
kernel void k(global const uint* in0, global const short* restrict in1, uint ua, int ub, ulong uc, global volatile uint* out0, global uint* out1, global uint* counts, global ulong* digest, volatile local uint* t0) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint gid = (uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + (get_global_id(0) - get_global_offset(0)));
  uint v3 = ((uint)(1) + ((uint)ly & (uint)in1[(ulong)(gid & ~1u)]));
  uint p6[4];
  for (uint i = 0; i < 4u; ++i) p6[i] = v3;
  ulong h = 5ul;
  for (uint i = 0; i < 4u; ++i) { h = h * 31ul + (ulong)p6[(i * 3u + lid) & 3u]; }
  digest[gid] = h;
}
