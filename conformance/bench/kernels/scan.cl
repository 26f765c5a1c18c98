// Exclusive prefix sums of blocks of 2 * local size elements: up-sweep and down-sweep in local memory.
kernel void scan(global const int* in, global int* out, local int* t) {
  const int l = get_local_id(0);
  const int n = 2 * get_local_size(0);
  const size_t base = get_group_id(0) * (size_t)n;
  t[2 * l] = in[base + 2 * l];
  t[2 * l + 1] = in[base + 2 * l + 1];
  int stride = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) t[stride * (2 * l + 2) - 1] += t[stride * (2 * l + 1) - 1];
    stride *= 2;
  }
  if (l == 0) t[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    stride >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      const int a = stride * (2 * l + 1) - 1;
      const int b = stride * (2 * l + 2) - 1;
      const int v = t[a];
      t[a] = t[b];
      t[b] += v;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + 2 * l] = t[2 * l];
  out[base + 2 * l + 1] = t[2 * l + 1];
}

// The same of `n` = local size elements after Hillis and Steele: more additions, fewer steps.
kernel void scan_hillis_steele(global const int* in, global int* out, local int* t) {
  const int l = get_local_id(0);
  const int n = get_local_size(0);
  const size_t i = get_global_id(0);
  int from = 0;
  t[l] = l > 0 ? in[i - 1] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < n; s *= 2) {
    const int to = n - from;
    t[to + l] = l >= s ? t[from + l] + t[from + l - s] : t[from + l];
    from = to;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = t[from + l];
}
