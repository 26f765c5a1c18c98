// A barrier is missing between the store and another work-item's load.
// launch: 33,1,1 groups 2,1,1 coarsen 1
kernel void k(global uint* out) {
  local uint t[33];
  const uint lid = get_local_id(0);
  t[lid] = 0u;
  barrier(CLK_LOCAL_MEM_FENCE);
  t[lid] = lid + 1u;
  out[get_global_id(0)] = t[32u - lid];
}
