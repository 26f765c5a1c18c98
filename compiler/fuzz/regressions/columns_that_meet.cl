// Columns that lie nearer together than they are high: of lanes that store to one place, the last one stays.
// launch: 16,16,1 groups 1,1,1 coarsen 0
// launch: 16,16,1 groups 1,1,1 coarsen 1
// launch: 16,16,1 groups 1,1,1 coarsen 4
// launch: 16,16,1 groups 1,1,1 coarsen 8
// launch: 32,8,1 groups 1,1,1 coarsen 8
// launch: 8,8,1 groups 1,1,1 coarsen 2
// launch: 16,4,1 groups 1,1,1 coarsen 2
kernel void k(global uint* in0, uint ua, int ub, ulong uc, int ud, global uint* out0, global uint* counts, global ulong* digest) {
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int width = get_local_size(0), height = get_local_size(1), n = width * height;
  const uint lid = lx + width * ly;
  const int none = ua == 123456789u;  // nothing that the compiler knows
  uint sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int near = i - 1 + none, far = (i == 0 ? height / 2 + 1 : height - i + 1) - none;
    out0[lx * near + ly + (i == 0 ? width : 0) + i * 2 * n] = lid + 1000u * (uint)i;
    out0[lx * far + ly + (8 + i) * n] = lid + 2000u * (uint)i;
    sum = sum * 31u + in0[lx * near + ly + (i == 0 ? width : 0)] + 3u * in0[(width - 1 - lx) * far + ly];
  }
  digest[lid] = sum;
}
