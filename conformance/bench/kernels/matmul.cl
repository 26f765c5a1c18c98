// c = a * b, square matrices of n rows.
#define TILE 16

kernel void matmul_naive(global const float* a, global const float* b, global float* c, const int n) {
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + col];
  c[row * n + col] = sum;
}

kernel void matmul_tiled(global const float* a, global const float* b, global float* c, const int n) {
  local float ta[TILE][TILE];
  local float tb[TILE][TILE];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  float sum = 0.0f;
  for (int t = 0; t < n; t += TILE) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) sum += ta[y][i] * tb[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}
