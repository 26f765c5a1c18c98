// A row of no more elements than a piece has: of its loop nothing is left, of which lines were to be read next (a finding of UndefinedBehaviorSanitizer).
// launch: 5,1,13 groups 3,1,1 coarsen 2 wide-ids scalarize
// launch: 128,1,1 groups 4,1,1 coarsen 4 fuse 4
#define OUT(k) out[i * 16 + (k)]
#define SEEN(k) same_as_out[i * 16 + (k)]
kernel void k(global const uint* in0, global const int* restrict in1, global const ushort* in2, global const uchar* ends_0, int small_n, int small_p, int small_e, global uint* out, global const uint* same_as_out) {
  const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const size_t W = get_global_size(0), H = get_global_size(1), N = W * H * get_global_size(2);
  const size_t line = z * H + y, i = line * W + x;
  {
    uint s = (uint)1;
    {
      const size_t n = min((size_t)small_n, (size_t)16);
      for (int q = (int)n - 1; q >= 0; --q) {
        s = min(s, (uint)(in1[(uint)in0[min(i + q, N - 1)] % (uint)N]) * (uint)(in2[i * 32 + q]));
      }
    }
    OUT(2) = (uint)(s);
  }
  {
    uint s[2];
    for (int j = 0; j < 2; ++j) s[j] = (uint)0;
    {
      const int n = min((int)small_n, (int)8);
      for (int q = 0; q < n; ++q) {
        uint v[1], w[2];
        for (int j = 0; j < 1; ++j) v[j] = (uint)(in2[i * min((size_t)small_p, (size_t)32) + (q * 1 + j)]);
        for (int l = 0; l < 2; ++l) w[l] = (uint)(in1[min(i + (q * 2 + l), N - 1)]);
        for (int j = 0; j < 1; ++j) for (int l = 0; l < 2; ++l) s[j * 2 + l] += v[j] * w[l];
      }
    }
    for (int j = 0; j < 2; ++j) OUT(j) += (uint)(s[j]);
  }
  {
    uint s[2];
    for (int j = 0; j < 2; ++j) s[j] = (uint)0;
    {
      const int n = (int)(min(x, (size_t)8));
      for (int q = 0; q < n; ++q) {
        uint v[1], w[2];
        for (int j = 0; j < 1; ++j) v[j] = in0[i * 16 + (q * 1 + j)];
        for (int l = 0; l < 2; ++l) w[l] = (uint)(in1[i * min((size_t)small_p, (size_t)16) + (q * 2 + l)]);
        for (int j = 0; j < 1; ++j) for (int l = 0; l < 2; ++l) s[j * 2 + l] += v[j] * w[l];
      }
    }
    for (int j = 0; j < 2; ++j) OUT(j) = (uint)(s[j]);
  }
}
