// Rows of 5 work-items lie 8 lanes apart; a masked store of the first 8 bytes wrote the 8 behind them, too (compiler/wide/short_masks.h).
// launch: 5,1,13 groups 2,2,1 coarsen 2 scalarize
#define OUT(k) out[(k) * N + i]
kernel void k(global const ulong* in0, global const short* restrict in1, global const int* restrict in2, global const uchar* ends_0, int small_n, int small_p, int small_e, global uchar* restrict out) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int W = get_global_size(0), H = get_global_size(1), N = W * H * get_global_size(2);
  const int line = z * H + y, i = line * W + x;
  ulong s[8];
  for (int j = 0; j < 8; ++j) s[j] = (ulong)1;
  {
    const int n = 2;
    for (int q = 0; q < n; q += 2) {
      ulong v[2], w[4];
      for (int j = 0; j < 1; ++j) v[j] = in0[(i / 8) * 8 + (j)];
      for (int l = 0; l < 2; ++l) w[l] = (ulong)(in1[i]);
      for (int j = 0; j < 1; ++j) for (int l = 0; l < 2; ++l) s[j * 4 + l] += v[j] * w[l];
    }
  }
  for (int j = 0; j < 1; ++j) OUT(j) = (uchar)(s[j]);
}
