// y = A x, A in compressed sparse rows: one row an item, so neighbours run loops of different lengths.
kernel void spmv_csr(global const int* row_start, global const int* column, global const float* value,
                     global const float* x, global float* y) {
  const int row = get_global_id(0);
  float sum = 0.0f;
  const int end = row_start[row + 1];
  for (int k = row_start[row]; k < end; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

// One row a group: its items take turns on the elements, then add up in local memory.
kernel void spmv_rows(global const int* row_start, global const int* column, global const float* value,
                      global const float* x, global float* y, local float* part) {
  const int row = get_group_id(0);
  const int l = get_local_id(0);
  const int n = get_local_size(0);
  float sum = 0.0f;
  for (int k = row_start[row] + l; k < row_start[row + 1]; k += n) sum += value[k] * x[column[k]];
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = n / 2; s > 0; s >>= 1) {
    if (l < s) part[l] += part[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) y[row] = part[0];
}

// Elements from everywhere.
kernel void gather(global const float* in, global const uint* index, global float* out) {
  const size_t i = get_global_id(0);
  out[i] = in[index[i]];
}
