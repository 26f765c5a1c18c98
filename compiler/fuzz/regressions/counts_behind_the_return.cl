// The loop has two entries, so a block that runs before the return is widened behind it: its runs were not counted.
// launch: 32,1,1 groups 3,1,1 coarsen 0 required-only counted
constant uchar table[8] = {13, 180, 91, 2, 169, 80, 247, 158};
kernel void k(global const uint* in0, global const int* in1, constant uint* in2, uint ua, int ub, ulong uc, global uint* out0,
              global volatile uint* out1, global uint* counts, global ulong* digest) {
  const uint gid = (uint)get_global_id(0);
  uint v = 1;
  uint n = 0;
a:
  out0[gid] ^= v;
  if (0) goto c;
b:
  v |= table[v & 7u];
  if (++n < 4u && 1) goto a;
c:
  v = 1u;
  if (++n < 4u && 1) goto b;
}
