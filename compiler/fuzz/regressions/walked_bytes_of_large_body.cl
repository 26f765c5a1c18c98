// So few copies of a large body that their bytes made no word: a piece of no elements.
// launch: 33,1,1 groups 3,1,1 coarsen 0
#define OUT(k) out[(N - 1 - i) * 64 + (k)]
kernel void k(global const ulong* in0, global const uchar* restrict in1, global const uchar* restrict in2, global const uchar* ends_0, int small_n, int small_p, int small_e, global uchar* out) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int W = get_global_size(0), H = get_global_size(1), N = W * H * get_global_size(2);
  const int line = z * H + y, i = line * W + x;
  ulong s[8];
  for (int j = 0; j < 8; ++j) s[j] = (ulong)0;
  {
    const int n = min((int)small_n, (int)8);
    for (int q = 0; q < n; ++q) {
      ulong v[1], w[8];
      for (int j = 0; j < 1; ++j) v[j] = (ulong)(in2[i * 64 + (q * 1 + j)]);
      for (int l = 0; l < 8; ++l) w[l] = (ulong)(in1[line * W + (int)clamp((int)(x + (q * 8 + l)) - 2, 0, (int)W - 1)]);
      for (int j = 0; j < 1; ++j) for (int l = 0; l < 8; ++l) s[j * 8 + l] += v[j] * w[l];
    }
  }
  for (int j = 0; j < 8; ++j) OUT(j) = (uchar)(s[j]);
}
