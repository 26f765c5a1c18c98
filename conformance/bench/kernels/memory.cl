// Kernels whose time is the memory's.

kernel void copy(global const float* in, global float* out) {
  const size_t i = get_global_id(0);
  out[i] = in[i];
}

kernel void vector_add(global const float* a, global const float* b, global float* c) {
  const size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

kernel void saxpy(const float alpha, global const float* x, global float* y) {
  const size_t i = get_global_id(0);
  y[i] = alpha * x[i] + y[i];
}
