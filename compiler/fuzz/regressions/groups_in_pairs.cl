// Groups of one work-item beside each other, which part at the end of the range, write local memory of their own and update a counter
// (compiler/simt/barriers/group_pairs.h).
// launch: 1,1,1 groups 5,2,1 coarsen 0 scalarize
// launch: 1,1,1 groups 40,1,1 coarsen 0
// launch: 16,1,1 groups 4,1,1 coarsen 0
// launch: 1,1,1 groups 37,1,1 coarsen 0 fuse 8
#define F(x) (((table[(x) >> 27] + table[32 + (((x) >> 16) & 31)]) ^ table[64 + (((x) >> 8) & 31)]) + table[96 + ((x) & 31)])
kernel void k(global const uint* restrict in0, global const long* in1, uint ua, int ub, ulong uc, global uchar* out0, global uint* out1, global uint* counts, global ulong* digest) {
  const uint gid = (uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + (get_global_id(0) - get_global_offset(0)));
  const uint lid = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
  local uint tables[16][128];
  if (lid >= 16) return;
  local uint* table = tables[lid];
  if (in1[gid] % 3 == 0 || gid % 5 == 4) return;
  uint keys[6];
  for (uint i = 0; i < 6; ++i) keys[i] = in0[gid] * (i + 1) ^ ua;
  for (uint i = 0; i < 128; ++i) table[i] = in0[gid] ^ i * 0x9e3779b9u;
  uint left = gid, right = ua, swap;
  for (uint i = 0; i < 32; ++i) {
    for (uint r = 0; r < 6; ++r) {
      left ^= keys[r];
      right ^= F(left);
      swap = left, left = right, right = swap;
    }
    table[4 * i] = left;
    keys[i % 6] += right;
  }
  atomic_add(&counts[left % 16], right & 7);
  out0[gid] = (uchar)left;
  digest[gid] = (ulong)left << 32 | right;
}
