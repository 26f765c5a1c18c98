// out = in transposed; in has `height` rows of `width`.
#define TILE 16

kernel void transpose_naive(global const float* in, global float* out, const int width, const int height) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  out[x * height + y] = in[y * width + x];
}

// A tile goes through local memory, so that both sides are read and written along rows.
// The extra column keeps the column reads in different banks.
kernel void transpose_tiled(global const float* in, global float* out, const int width, const int height) {
  local float tile[TILE][TILE + 1];
  const int lx = get_local_id(0);
  const int ly = get_local_id(1);
  const int x = get_group_id(0) * TILE;
  const int y = get_group_id(1) * TILE;
  tile[ly][lx] = in[(y + ly) * width + x + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(x + ly) * height + y + lx] = tile[lx][ly];
}
