// A mask whose parts are constants beside bits that all lanes share, wanted in whole and in halves: LLVM's code generator went on for ever.
// launch: 64,2,1 groups 4,1,1 coarsen 0 wide-ids dispatch
// options: -cl-std=CL3.0
typedef struct {
} S0;
#define O0(k) out0[(int)gid * 8u + ((k) & (8u - 1u))]
kernel void k(global const uint* restrict in0, global const int* in1, uint ua, int ub, ulong uc, uint ud, S0 us, global ulong* out0, global uint* out1, global ulong* zero_shared, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint n = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));
  const uint wg = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
  const uint gid = (uint)(((get_group_id(2) * get_local_size(2) + lz) * get_global_size(1) + get_group_id(1) * get_local_size(1) + ly) * get_global_size(0) + get_group_id(0) * get_local_size(0) + lx);
  local uint t0[512];
  volatile local uint t1[512];
  uint u1 = min(ua, (uint)wg);
  long v4 = (long)ub;
  int p5[8];
  for (uint size6 = 2u; size6 <= n; size6 *= 2u)
  for (uint step7 = size6 / 2u; step7 > 0u; step7 /= 2u) {
    const uint low = 2u * lid - (lid & (step7 - 1u)), high = low + step7;
    if (high < n) {
    }
  }
  {
    for (uint size8 = 2u; size8 <= n; size8 *= 2u)
    for (uint step9 = size8 / 2u; step9 > 0u; step9 /= 2u) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint low = 2u * lid - (lid & (step9 - 1u)), high = low + step9;
      if (high < n) {
        const uint a = t0[low], b = t0[high];
        if ((b > a) != ((lid & step9) != 0u)) { t0[low] = b; t0[high] = a; }
      }
    }
  }
  ulong h = 5ul;
}