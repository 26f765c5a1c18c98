// Columns of which some lie behind where the index wraps around, or go across it.
// launch: 16,16,1 groups 4,1,1 coarsen 0
// launch: 16,16,1 groups 4,1,1 coarsen 1
// launch: 16,16,1 groups 4,1,1 coarsen 8
// launch: 32,8,1 groups 4,1,1 coarsen 4
// launch: 8,8,1 groups 4,4,1 coarsen 2
// launch: 16,16,1 groups 4,1,1 coarsen 8 wide-ids
kernel void k(global uchar* in0, uint ua, int ub, ulong uc, int ud, global uchar* out0, global uint* counts, global ulong* digest) {
  const uint x = get_global_id(0), y = get_global_id(1);
  const uint gid = x + y * (uint)get_global_size(0);
  ulong h = 0;
  for (uint i = 0; i < 24; ++i) {
    const uint pitch = i % 6 < 3 ? i * 16u + 8u : i % 6 == 3 ? 0u - 40u * i : (ua + i) * 37u;
    const uint from = i % 4 == 0 ? 65530u - i : i % 4 == 1 ? 32760u + i : i % 4 == 2 ? 64000u + 64u * i : 0u;
    const ushort a = (ushort)(x * pitch + y + from);
    const short b = (short)(x * pitch + y + from);
    h = h * 31ul + in0[a] + 7ul * in0[32768 + b];
    out0[i % 2 ? (int)a : 32768 + (int)b] = (uchar)((i % 2 ? (int)a : 32768 + (int)b) * 77);
  }
  digest[gid] = h;
}
