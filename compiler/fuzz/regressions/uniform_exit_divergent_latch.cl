// A uniform way out at the loop's head, a divergent one at its end: which of them it was differs between lanes.
kernel void k(global const uint* in, uint n, global uint* out) {
  uint i = get_local_id(0) + get_local_id(1) + get_local_id(2), r = 9, k = 0;
  uint gid = ((get_global_id(2) * get_global_size(1)) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  for (;; ++k) {
    uint x = k * 3u + n;
    x = x * in[x & 7u] + in[x & 15u] * in[x & 3u] + in[(x >> 1) & 15u] * in[(x >> 3) & 15u] + k;
    x = x * in[x & 7u] + in[x & 15u] * in[x & 3u] + in[(x >> 1) & 15u] * in[(x >> 3) & 15u] + k;
    if ((x & 15u) == 1u) { r = 2; break; }
    if (k >= i) { r = 1; break; }
  }
  out[gid] = r;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid] += r * 3;
}
