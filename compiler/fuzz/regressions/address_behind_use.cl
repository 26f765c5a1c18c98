// CodeGenPrepare of LLVM 19 computed the address of what is stored to t0 behind the store (codegen/sunk_addresses.h).
// launch: 256,1,1 groups 4,1,1 coarsen 0 offset 864,0,0 required-only counted
kernel void k(constant uint2* in0, constant int* in1, uint ua, int ub, ulong uc, uint3 ud, global int* out0, global uint* out1, global uint* counts, global ulong* digest) {
  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;
  const uint n = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));
  const uint gid = (uint)(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * get_global_size(0) + (get_global_id(0) - get_global_offset(0)));
  local uint t0[512];
  local uint t1[512];
  t0[n - 1u - lid] = (uint)(lid & 63u);
  t1[lid] = (uint)(lid & 63u);
  uint v1 = t0[n - 1u - lid];
  uint v2 = (uint)(v1 != (uint)0 ? (uint)(0) % v1 : (uint)in1[(int)(16u % (N * 16u))]);
  if ((any(((uint4)(v2) != (uint4)(1))) != 0)) { digest[gid] = (ulong)ub + 77ul; return; }
  for (uint n3 = get_local_id(0); n3 < (uint)min(N, (uint)get_local_size(0) * 4u); n3 += get_local_size(0)) {
    if ((((uint)n3 & 3u) == (t0[n - 1u - lid] & 3u))) {
      v1 = (uint)(1);
      break;
    }
  }
}
