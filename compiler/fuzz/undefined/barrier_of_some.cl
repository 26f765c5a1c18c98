// Not all work-items reach the same barrier.
// launch: 33,1,1 groups 2,1,1 coarsen 1
kernel void k(global uint* out) {
  if (get_local_id(0) < 5) barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1u;
}
