// Sorts blocks of 2 * local size keys in local memory (bitonic network), each item a pair in every step.
kernel void bitonic_sort(global uint* keys, local uint* t) {
  const uint l = get_local_id(0);
  const uint n = 2 * get_local_size(0);
  global uint* block = keys + get_group_id(0) * n;
  t[l] = block[l];
  t[l + n / 2] = block[l + n / 2];
  for (uint size = 2; size <= n; size <<= 1) {
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint low = 2 * l - (l & (stride - 1));
      const uint high = low + stride;
      const bool rising = (low & size) == 0 || size == n;
      const uint a = t[low];
      const uint b = t[high];
      if ((a > b) == rising) {
        t[low] = b;
        t[high] = a;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  block[l] = t[l];
  block[l + n / 2] = t[l + n / 2];
}
