// One step of Jacobi's method for the Poisson equation, five points; a border of one.
kernel void jacobi(global const float* in, global const float* source, global float* out, const int pitch) {
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  out[at] = 0.25f * (in[at - 1] + in[at + 1] + in[at - pitch] + in[at + pitch] - source[at]);
}

// The same from a tile in local memory, in groups of 16 x 16: its rim is loaded by the outer items.
kernel void jacobi_tiled(global const float* in, global const float* source, global float* out,
                         const int pitch) {
  local float t[18][18];
  const int x = get_local_id(0) + 1;
  const int y = get_local_id(1) + 1;
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  t[y][x] = in[at];
  if (x == 1) t[y][0] = in[at - 1];
  if (x == 16) t[y][17] = in[at + 1];
  if (y == 1) t[0][x] = in[at - pitch];
  if (y == 16) t[17][x] = in[at + pitch];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = 0.25f * (t[y][x - 1] + t[y][x + 1] + t[y - 1][x] + t[y + 1][x] - source[at]);
}

// One generation of Conway's Life on bytes; a border of one.
kernel void life(global const uchar* in, global uchar* out, const int pitch) {
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  const int around = in[at - pitch - 1] + in[at - pitch] + in[at - pitch + 1] + in[at - 1] + in[at + 1] +
                     in[at + pitch - 1] + in[at + pitch] + in[at + pitch + 1];
  out[at] = around == 3 || (around == 2 && in[at]);
}
