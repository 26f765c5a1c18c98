// Transposes of a `width` x `height` matrix: element by element, through a tile of local memory so that both
// sides are coalesced, and the same with PAD columns more against bank conflicts (OpenCL Best Practices Guide
// §3.2.1, §3.2.2.3). A third dimension transposes a batch.

kernel void transpose_plain(global const float* in, global float* out, int width, int height) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  const int base = get_global_id(2) * width * height;
  out[base + x * height + y] = in[base + y * width + x];
}

kernel void transpose_tile(global const float* in, global float* out, int width, int height,
                           local float (*tile)[TILE_DIM + PAD]) {
  const int lx = get_local_id(0);
  const int ly = get_local_id(1);
  const int base = get_global_id(2) * width * height;
  const int x = get_group_id(0) * TILE_DIM;
  const int y = get_group_id(1) * TILE_DIM;
  tile[ly][lx] = in[base + (y + ly) * width + x + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + (x + ly) * height + y + lx] = tile[lx][ly];
}
