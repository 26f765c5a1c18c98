// Neighbouring words of 8 bytes in local memory cost more on 3.x where they cross a multiple of 256: counted as if they did not. One
// variant for each of the capabilities that variants take in turn.
// launch: 100,1,1 groups 3,1,1 coarsen 0 required-only counted
// launch: 100,1,1 groups 3,1,1 coarsen 0 required-only counted
// launch: 100,1,1 groups 3,1,1 coarsen 0 required-only counted
// launch: 100,1,1 groups 3,1,1 coarsen 0 required-only counted
// launch: 100,1,1 groups 3,1,1 coarsen 0 required-only counted
// launch: 100,1,1 groups 3,1,1 coarsen 0 required-only counted
kernel void k(global const uint4* in0, uint ua, int ub, ulong uc, int2 ud, global uint2* out0, global ushort* columns,
              global uint* counts, global ulong* digest, local int* t1) {
  const uint lid = get_local_id(0), n = (uint)get_local_size(0);
  local uint2 t2[1024];
  t2[lid] = (uint2)(lid & 63u);
  t2[n + lid] = (uint2)(lid & 63u);
  digest[get_global_id(0)] = t2[lid].s0;
}
