// Masks of eight lanes that found no register: a row of three wrote bytes of the row behind the next.
// launch: 3,5,7 groups 1,1,1 coarsen 4
kernel void k(global const uchar* restrict in1, global const ushort* restrict in2, int small_n, global uchar* restrict out) {
  const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const size_t W = get_global_size(0), H = get_global_size(1), N = W * H * get_global_size(2);
  const size_t i = (z * H + y) * W + x;
  const int n = in2[i] & 15;
  for (int q = 0; q < n; ++q) out[q * N + i] = (uchar)(q+1);
  for (int q = 14; q >= 0; --q) out[q * N + i] = out[q * N + i] + out[(q + 1) * N + i];
}
