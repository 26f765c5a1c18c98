// Local memory that a lane may reach through a generic pointer, by an update alone (compiler/simt/analysis/local_objects.cpp).
// launch: 1,1,1 groups 5,2,1 coarsen 0 scalarize
// launch: 16,1,1 groups 3,1,1 coarsen 0
// options: -cl-std=CL3.0
#define LAST 31u
uint lane_rotate_4_uint(uint x, uint by) {
  const uint lane = get_sub_group_local_id();
  const uint from = (lane & ~3u) | ((lane + by) & 3u);
  const uint4 here = sub_group_ballot(1);
  const uint other = sub_group_clustered_rotate(x, (int)(by & 3u), 4u);
  return from <= LAST && sub_group_ballot_bit_extract(here, from & LAST) ? other : x;
}
typedef struct {
  uint f0[2];
  uint f1;
  int f2;
} S0;
#define O0(k) out0[((k) & (16u - 1u)) * N + (size_t)gid]
kernel void k(global const ulong* restrict in0, uint ua, int ub, ulong uc, S0 us, global uint* out0, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint n = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));
  const uint wg = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  const uint gid = (uint)(wg * n + lid);
  local uint t0[512];
  t0[lid] = (uint)(lid & 63u);
  uint v9 = (uint)(1);
  {
    uint* q16 = ((ua & 16u) != 0u) ? (uint*)&O0(7u) : (int)(1) ? (uint*)&t0[lid] : (uint*)&t0[lid];
    v9 = atomic_fetch_max((volatile atomic_uint*)q16, (uint)(1));
  }
  t0[lid] = (uint)(1);
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    O0((uint)(1)) += max(lane_rotate_4_uint((uint)((uint)(1)), (uint)(1)), v9);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}
