// Neighbours exchange values with barriers, and without them within one warp (OpenCL Programming Guide for the
// CUDA Architecture §3.4; `volatile` as §2.2.2 asks).

kernel void neighbours_with_barriers(global int* result, global int* values) {
  const int t = get_local_id(0);
  const int first = values[t] * 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  values[t + 1] = 2;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const int second = values[t] * 1;
  result[t] = first * second;
}

kernel void neighbours_in_a_warp(global int* result, volatile global int* values, int warp_size) {
  const int t = get_local_id(0);
  if (t < warp_size) {
    const int first = values[t] * 1;
    values[t + 1] = 2;
    const int second = values[t] * 1;
    result[t] = first * second;
  }
}

kernel void neighbours_in_local_memory(global int* result, global const int* values, int warp_size, volatile local int* mine) {
  const int t = get_local_id(0);
  mine[t] = values[t];
  if (t == 0) mine[get_local_size(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < warp_size) {
    const int first = mine[t] * 1;
    mine[t + 1] = 2;
    const int second = mine[t] * 1;
    result[t] = first * second;
  }
}
