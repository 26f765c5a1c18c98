// A loop's sum, narrowed to 16 bits, was narrowed once more with that of the loop that goes on from it: the compiler ended.
// launch: 64,1,1 groups 2,1,1 coarsen 1
kernel void k(global const uint* restrict in0, global const uint* in1, uint ua, int ub, ulong uc, global uint* out0, global ulong* columns, global uint* counts, global ulong* digest, volatile local uint* t1) {
  const uint gid = get_global_id(0);
  global const uchar* bytes = (global const uchar*)in0;
  uint sum = 0;
  for (uint j = 0; j < 120; ++j) sum += bytes[(gid * 3 + j) % 128];
  const uint first = sum;
  for (uint j = 120; j < 250; ++j) sum += bytes[(gid + j * 5) % 128];
  out0[gid] = first + sum * 65536u;
}
