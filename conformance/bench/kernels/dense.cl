// Dense arithmetic as numerical and learning programs write it for devices: blocks in registers, bytes, rows, strides of the grid.

// c = a * b, square matrices of n rows, a multiple of 64. A group of 16 x 16 makes 64 x 64 elements, an item 4 x 4 of them.
#define TILE 64
#define DEPTH 16
#define EACH 4
#define ITEMS 16

kernel void blocked_matmul(global const float* a, global const float* b, global float* c, const int n) {
  local float ta[DEPTH][TILE];
  local float tb[DEPTH][TILE];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int top = get_group_id(1) * TILE;
  const int left = get_group_id(0) * TILE;
  float sum[EACH][EACH];
  for (int i = 0; i < EACH; ++i)
    for (int j = 0; j < EACH; ++j) sum[i][j] = 0.0f;
  for (int t = 0; t < n; t += DEPTH) {
    for (int k = y * ITEMS + x; k < TILE * DEPTH; k += ITEMS * ITEMS) {
      ta[k % DEPTH][k / DEPTH] = a[(top + k / DEPTH) * n + t + k % DEPTH];
      tb[k / TILE][k % TILE] = b[(t + k / TILE) * n + left + k % TILE];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < DEPTH; ++k) {
      float column[EACH], row[EACH];
      for (int i = 0; i < EACH; ++i) {
        column[i] = ta[k][y * EACH + i];
        row[i] = tb[k][x + ITEMS * i];
      }
      for (int i = 0; i < EACH; ++i)
        for (int j = 0; j < EACH; ++j) sum[i][j] += column[i] * row[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < EACH; ++i)
    for (int j = 0; j < EACH; ++j) c[(top + y * EACH + i) * n + left + x + ITEMS * j] = sum[i][j];
}

// A quantized layer: products of rows of signed bytes, `depth` of them in fours.
kernel void int8_matmul(global const char4* a, global const char4* b, global int* c, const int n, const int depth) {
  const int column = get_global_id(0);
  const int row = get_global_id(1);
  int sum = 0;
  for (int k = 0; k < depth; ++k) {
    const int4 x = convert_int4(a[row * depth + k]);
    const int4 y = convert_int4(b[column * depth + k]);
    sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
  }
  c[row * n + column] = sum;
}

// Softmax of each row of n elements; a group a row.
kernel void softmax(global const float* in, global float* out, const int n, local float* t) {
  const int l = get_local_id(0);
  const int width = get_local_size(0);
  global const float* row = in + get_group_id(0) * n;
  float greatest = -INFINITY;
  for (int i = l; i < n; i += width) greatest = fmax(greatest, row[i]);
  t[l] = greatest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = width / 2; s > 0; s >>= 1) {
    if (l < s) t[l] = fmax(t[l], t[l + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  greatest = t[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int i = l; i < n; i += width) sum += exp(row[i] - greatest);
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = width / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float factor = 1.0f / t[0];
  for (int i = l; i < n; i += width) out[get_group_id(0) * n + i] = exp(row[i] - greatest) * factor;
}

// A dot product: items stride by the grid's size, a sum a group.
kernel void dot_product(global const float* x, global const float* y, global float* sums, const int n, local float* t) {
  const int l = get_local_id(0);
  float sum = 0.0f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i] * y[i];
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sums[get_group_id(0)] = t[0];
}
