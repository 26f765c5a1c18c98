// Sums of int over a group's warps wrap: added as numbers that do not, their upper half as a long was wrong.
// launch: 3,5,7 groups 3,1,1 coarsen 1 scalarize
// options: -cl-std=CL3.0
kernel void k(global const float* in0, constant uint* in1, uint ua, int ub, ulong uc, global uint* out0, global int* out1, global ushort* columns, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint gid = (uint)(((get_group_id(2) * get_local_size(2) + lz) * get_global_size(1) + get_group_id(1) * get_local_size(1) + ly) * get_global_size(0) + get_group_id(0) * get_local_size(0) + lx);
  int u9 = (int)(1);
  u9 = work_group_reduce_add((int)((int)in1[(uint)(1)]));
  if ((((uint)get_group_id(0) & 8u) != 0u)) { return; }
  ulong h = 5ul;
  h = h * 31ul + (ulong)u9;
  digest[gid] = h;
}
