// 512-point complex Fourier transforms, one a group of 64: three passes of radix 8 with local memory between
// them (Stockham: the result is in order).

float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 times_minus_i(float2 a) { return (float2)(a.y, -a.x); }

void fft2(float2* a, float2* b) {
  const float2 sum = *a + *b;
  *b = *a - *b;
  *a = sum;
}

void fft4(float2* a, float2* b, float2* c, float2* d) {
  fft2(a, c);
  fft2(b, d);
  *d = times_minus_i(*d);
  fft2(a, b);
  fft2(c, d);
}

// v[k] becomes output bits-reversed: 0, 4, 2, 6, 1, 5, 3, 7.
void fft8(float2* v) {
  const float h = 0.70710678118654752f;
  for (int k = 0; k < 4; ++k) fft2(&v[k], &v[k + 4]);
  v[5] = h * (float2)(v[5].x + v[5].y, v[5].y - v[5].x);
  v[6] = times_minus_i(v[6]);
  v[7] = h * (float2)(v[7].y - v[7].x, -v[7].x - v[7].y);
  fft4(&v[0], &v[1], &v[2], &v[3]);
  fft4(&v[4], &v[5], &v[6], &v[7]);
}

constant int order[8] = {0, 4, 2, 6, 1, 5, 3, 7};

kernel void fft512(global const float2* in, global float2* out) {
  local float2 t[512];
  const int l = get_local_id(0);
  const size_t block = get_group_id(0) * 512;
  float2 v[8];
  for (int k = 0; k < 8; ++k) v[k] = in[block + l + 64 * k];
  fft8(v);
  // After a pass with stride s (1, 8, 64), item l holds the points p + s * q of its butterfly.
  for (int k = 0; k < 8; ++k) {
    // Element order[k] of the butterfly of l: twiddled by l * order[k] / 512.
    const float angle = -2.0f / 512.0f * (float)(l * order[k]);
    t[8 * l + order[k]] = times(v[k], (float2)(cospi(angle), sinpi(angle)));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 8; ++k) v[k] = t[l + 64 * k];
  barrier(CLK_LOCAL_MEM_FENCE);
  fft8(v);
  for (int k = 0; k < 8; ++k) {
    const float angle = -2.0f / 64.0f * (float)(l / 8 * order[k]);
    t[64 * (l / 8) + 8 * order[k] + l % 8] = times(v[k], (float2)(cospi(angle), sinpi(angle)));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 8; ++k) v[k] = t[l + 64 * k];
  fft8(v);
  for (int k = 0; k < 8; ++k) out[block + l + 64 * order[k]] = v[k];
}
