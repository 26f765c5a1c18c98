// A counter that a function of the sub-group is given, in a loop which lanes leave under a condition that a compiler sees through.
// launch: 16,2,4 groups 16,2,1 coarsen 1
kernel void k(global const uint* in0, constant uint* in1, uint ua, int ub, ulong uc, global uint* out0, global float* columns, global ulong* zero_shared, global uint* counts, global ulong* digest, local int* t1) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint gid = (uint)(((get_group_id(2) * get_local_size(2) + lz) * get_global_size(1) + get_group_id(1) * get_local_size(1) + ly) * get_global_size(0) + get_group_id(0) * get_local_size(0) + lx);
  local uint t0[512];
  uint v11 = (uint)(1);
  uint v12 = (uint)(1);
  {
    uint n13 = 0;
    do {
      if ((((uint)n13 & 3u) == ((lid + (uint)sub_group_non_uniform_reduce_add((uint)(n13))) & 3u))) {
        v11 = (uint)sub_group_reduce_add((uint)((uint)(1)));
        if (((lid & 7u) < 8u)) break;
      }
    } while (++n13 < 4u && (int)(1));
  }
  t0[lid] = v11;
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    v12 = t0[(uint)(1)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong h = 5ul;
  h = h * 31ul + (ulong)v12;
  digest[gid] = h;
}
