// Copies with an offset and with a stride between work-items (OpenCL Best Practices Guide §3.2.1.3, §3.2.1.4).
// The item's linear id counts along x, then y, then z, so that ranges of 1 to 3 dimensions do the same work.

int linear_id(void) {
  return (int)((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0));
}

kernel void offset_copy(global float* to, global const float* from, int offset) {
  const int at = linear_id() + offset;
  to[at] = from[at];
}

kernel void stride_copy(global float* to, global const float* from, int stride) {
  const int at = linear_id() * stride;
  to[at] = from[at];
}
