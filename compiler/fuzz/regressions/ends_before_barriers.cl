// Work-items that return before barriers which others reach: at a bound, in a loop, in a branch on what others have left, in front of a
// function with a barrier; whole warps and single lanes of them. What lives across is in slots and in a private array.
// launch: 64,1,1 groups 3,1,1 coarsen 0
// launch: 64,1,1 groups 3,1,1 coarsen 0 any-size
// launch: 100,1,1 groups 2,1,1 coarsen 0
// launch: 256,1,1 groups 3,1,1 coarsen 2
// launch: 256,1,1 groups 2,1,1 coarsen 8
// launch: 512,1,1 groups 2,1,1 coarsen 0
// launch: 7,1,1 groups 5,1,1 coarsen 0
// launch: 1,1,1 groups 9,1,1 coarsen 0
// launch: 16,16,1 groups 2,2,1 coarsen 4
// launch: 64,1,1 groups 3,1,1 coarsen 0 dispatch
// launch: 33,1,1 groups 3,1,1 coarsen 0 required-only
// launch: 96,1,1 groups 2,1,1 coarsen 0 required-only counted
uint turn(local uint* t, uint v, uint at, uint from) {
  t[at] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint other = t[from];
  barrier(CLK_LOCAL_MEM_FENCE);
  return other;
}
kernel void k(global const uint* in0, uint ua, global uint* out0, global uint* counts, global ulong* digest) {
  local uint t[1024];
  local uint c[4];
  const uint lid = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
  const uint n = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  const uint wg = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  const uint gid = wg * n + lid;
  uint p[5];
  for (uint i = 0; i < 5u; ++i) p[i] = in0[gid] * (i + 3u) + lid;
  t[lid] = lid;
  for (uint i = 0; i < 4u; ++i) c[i] = 0u;
  digest[gid] = 1ul;
  if (wg == 1u && lid >= n - n / 3u) return;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint h = t[(lid + 1u) % n];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < 6u; ++i) {
    if ((p[i % 5u] & 31u) == i) {
      digest[gid] = h + i;
      return;
    }
    h = h * 5u + turn(t, h ^ p[lid % 5u], lid, (lid + i * 37u) % n);
    p[h % 5u] += i;
    if (i == 3u && (lid / 32u) % 3u == 1u) return;
  }
  atomic_add(&c[h & 3u], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (c[lid & 3u] > 2u) {
    if (h & 8u) return;
    h += 7u;
  }
  out0[gid] = h;
  barrier(CLK_LOCAL_MEM_FENCE);
  digest[gid] = (ulong)h * 3ul + c[(lid + 1u) & 3u] + p[ua % 5u];
}
