// Images of four bytes a pixel, with a border of one pixel: `pitch` pixels a row.

kernel void sobel(global const uchar4* in, global uchar4* out, const int pitch) {
  const int x = get_global_id(0) + 1;
  const int y = get_global_id(1) + 1;
  float4 p[3][3];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) p[j][i] = convert_float4(in[(y + j - 1) * pitch + x + i - 1]);
  const float4 h = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
  const float4 v = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
  out[y * pitch + x] = convert_uchar4_sat(sqrt(h * h + v * v) / 2);
}

uchar4 middle(uchar4 a, uchar4 b, uchar4 c) { return max(min(a, b), min(max(a, b), c)); }

// The median of 3 x 3 pixels: of the greatest least, the middle middle and the least greatest of its rows.
kernel void median(global const uchar4* in, global uchar4* out, const int pitch) {
  const int x = get_global_id(0) + 1;
  const int y = get_global_id(1) + 1;
  uchar4 low = 0;
  uchar4 high = 255;
  uchar4 middles[3];
  for (int j = 0; j < 3; ++j) {
    global const uchar4* row = in + (y + j - 1) * pitch + x;
    const uchar4 a = row[-1];
    const uchar4 b = row[0];
    const uchar4 c = row[1];
    low = max(low, min(min(a, b), c));
    high = min(high, max(max(a, b), c));
    middles[j] = middle(a, b, c);
  }
  out[y * pitch + x] = middle(low, middle(middles[0], middles[1], middles[2]), high);
}

// 8 x 8 blocks through the discrete cosine transform, rows then columns; an item a value, a group 4 blocks.
kernel void dct8x8(global const float* in, global float* out, constant float* basis, const int pitch) {
  local float t[8][32];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int at = get_global_id(1) * pitch + get_global_id(0);
  const int block = x & ~7;
  const int u = x & 7;
  t[y][x] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += basis[u * 8 + k] * t[y][block + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[y][x] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += basis[y * 8 + k] * t[k][x];
  out[at] = sum;
}
