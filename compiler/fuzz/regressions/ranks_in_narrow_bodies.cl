// In a body of 8 lanes, each live lane asks for what it found: how many live lanes come before it.
// launch: 1,1,1 groups 40,2,1 coarsen 0 fuse 8
// launch: 5,1,1 groups 9,1,1 coarsen 0
// launch: 12,1,1 groups 3,1,1 coarsen 0
kernel void k(global const uint* in0, uint ua, int ub, ulong uc, global uint* out0, global uint* counts, global ulong* digest) {
  const uint N = (uint)(get_global_size(0) * get_global_size(1));
  const uint gid = (uint)(get_global_id(1) * get_global_size(0) + get_global_id(0));
  ulong h = 7;
  if (in0[gid % 13u] & 1u) h += atomic_add(&counts[3], 2u) - counts[3] < 2u * N ? 1 : 0;
  digest[gid] = h;
}
