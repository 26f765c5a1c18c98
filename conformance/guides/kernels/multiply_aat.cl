// C = A times A transposed, for A of M x TILE_DIM (OpenCL Best Practices Guide §3.2.2.3).

kernel void aat_plain(global const float* a, global float* c, int m) {
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  const int z = get_global_id(2);
  a += z * m * TILE_DIM;
  float sum = 0.0f;
  for (int k = 0; k < TILE_DIM; ++k) sum += a[row * TILE_DIM + k] * a[col * TILE_DIM + k];
  c[z * m * m + row * m + col] = sum;
}

// The second factor's rows are stored as columns of a tile. PAD columns more keep them in different banks.
kernel void aat_tiled(global const float* a, global float* c, int m, local float (*tile)[TILE_DIM],
                      local float (*turned)[TILE_DIM + PAD]) {
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  const int lx = get_local_id(0);
  const int ly = get_local_id(1);
  const int first = get_group_id(0) * TILE_DIM;
  float sum = 0.0f;
  tile[ly][lx] = a[row * TILE_DIM + lx];
  turned[lx][ly] = a[(first + ly) * TILE_DIM + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < TILE_DIM; ++k) sum += tile[ly][k] * turned[k][lx];
  c[row * m + col] = sum;
}
