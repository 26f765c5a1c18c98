// Groups beside each other that add to a worker's copy of a counter (compiler/simt/barriers/group_pairs.h).
// launch: 1,1,1 groups 5,2,1 coarsen 0 scalarize
kernel void k(global const uint* in0, global const uint* in1, uint ua, int ub, ulong uc, global uint* out0, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const size_t wide_gid = ((get_group_id(2) * get_local_size(2) + lz) * get_global_size(1) + get_group_id(1) * get_local_size(1) + ly) * get_global_size(0) + get_group_id(0) * get_local_size(0) + lx;
  const uint gid = (uint)wide_gid;
  uint v0 = (uint)(1);
  v0 = (uint)sub_group_clustered_reduce_min((uint)((uint)(1)), 16u);
  atomic_inc(&counts[(uint)(1) & 3u]);
  ulong h = 5ul;
  h = h * 31ul + (ulong)v0;
  digest[gid] = h;
}
