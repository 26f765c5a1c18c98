// C = AB for A of M x TILE_DIM, B of TILE_DIM x N (OpenCL Best Practices Guide §3.2.2.2). Groups of the tiled
// kernels are TILE_DIM x TILE_DIM; the plain one takes any. A third dimension multiplies a batch of matrices.

kernel void ab_plain(global const float* a, global const float* b, global float* c, int m, int n) {
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  const int z = get_global_id(2);
  a += z * m * TILE_DIM;
  b += z * TILE_DIM * n;
  float sum = 0.0f;
  for (int k = 0; k < TILE_DIM; ++k) sum += a[row * TILE_DIM + k] * b[k * n + col];
  c[z * m * n + row * n + col] = sum;
}

// Only A goes through local memory, without a barrier: a row of the tile is written and read by one warp.
kernel void ab_local_a(global const float* a, global const float* b, global float* c, int n,
                       local float (*tile_a)[TILE_DIM]) {
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  const int lx = get_local_id(0);
  const int ly = get_local_id(1);
  float sum = 0.0f;
  tile_a[ly][lx] = a[row * TILE_DIM + lx];
  for (int k = 0; k < TILE_DIM; ++k) sum += tile_a[ly][k] * b[k * n + col];
  c[row * n + col] = sum;
}

kernel void ab_local_both(global const float* a, global const float* b, global float* c, int n,
                          local float (*tile_a)[TILE_DIM], local float (*tile_b)[TILE_DIM]) {
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  const int lx = get_local_id(0);
  const int ly = get_local_id(1);
  float sum = 0.0f;
  tile_a[ly][lx] = a[row * TILE_DIM + lx];
  tile_b[ly][lx] = b[ly * n + col];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < TILE_DIM; ++k) sum += tile_a[ly][k] * tile_b[k][lx];
  c[row * n + col] = sum;
}
