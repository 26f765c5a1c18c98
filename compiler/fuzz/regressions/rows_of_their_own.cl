// Each lane reads on along a row of its own, in two loops of different lengths.
// launch: 64,1,1 groups 5,1,1 coarsen 0
// launch: 64,1,1 groups 5,1,1 coarsen 0 scalarize
kernel void k(global uint* in0, uint ua, int ub, ulong uc, int ud, global uint* out0, global uint* counts, global ulong* digest) {
  const uint lid = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
  const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));
  const uint wg = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  const uint gid = wg * (uint)(get_local_size(0)*get_local_size(1)*get_local_size(2)) + lid;
  int lo = (gid * 2654435761u) % (N * 4u);
  int hi = lo + (int)min((in0[gid] ^ ua) % 37u, N * 4u);
  uint sum = 1;
  for (int j = lo; j < hi; ++j) sum = sum * 31u + in0[j] + in0[in0[j] % (N * 8u)];
  out0[gid * 16u] = sum;
  uint best = 0; float f = 1;
  for (int j = lo; j < hi; ++j) { best = max(best, in0[j] >> 3); f = fma(f, 0.5f, (float)(in0[j + 1] & 255u)); }
  out0[gid * 16u + 1u] = best;
  out0[gid * 16u + 2u] = as_uint(f);
}
