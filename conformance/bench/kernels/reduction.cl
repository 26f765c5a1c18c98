// One sum a group, by a tree in local memory; every item first adds up two elements.
kernel void reduction(global const float* in, global float* out, local float* t) {
  const int l = get_local_id(0);
  const int n = get_local_size(0);
  const size_t i = get_group_id(0) * (size_t)(2 * n) + l;
  t[l] = in[i] + in[i + n];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = n / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}

// The last 64 elements of a group are added by one warp without a barrier, as the Programming Guide for the CUDA
// Architecture has it (§3.4): its lanes run in lockstep. Platforms without warps of 32 get it wrong.
kernel void reduction_warp(global const float* in, global float* out, local volatile float* t) {
  const int l = get_local_id(0);
  const int n = get_local_size(0);
  const size_t i = get_group_id(0) * (size_t)(2 * n) + l;
  t[l] = in[i] + in[i + n];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = n / 2; s > 32; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l < 32) {
    t[l] += t[l + 32];
    t[l] += t[l + 16];
    t[l] += t[l + 8];
    t[l] += t[l + 4];
    t[l] += t[l + 2];
    t[l] += t[l + 1];
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
