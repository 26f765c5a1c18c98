// Words of lanes that pad a row, whose masks LLVM 19 loses on AVX2 (compiler/wide/known_lanes.h).
// launch: 4,8,2 groups 3,1,1 coarsen 2 scalarize
#define OUT(k) out[i * 4 + (k)]
#define SEEN(k) out[i * 4 + (k)]
kernel void k(global const uint4* restrict in0, global const uint* in1, global const uchar* restrict in2, global const uchar* ends_0, int small_n, int small_p, int small_e, global uint4* out) {
  const uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const uint W = get_global_size(0), H = get_global_size(1), N = W * H * get_global_size(2);
  const uint line = z * H + y, i = line * W + x;
  uint4 s = (uint4)0;
  {
    const uint n = 4;
    for (int q = (int)n - 1; q >= 0; --q) {
      s = min(s, (uint4)((uint)in1[i * 16 + (15 - q)]));
      if (q % 2 == 0) OUT(q) = (uint4)(s);
    }
  }
  for (int q = 2; q >= 0; --q) OUT(q) = (uint4)(SEEN(q) + SEEN(q + 1));
  {
    if ((int)x >= 1 && (int)x < (int)W - 1 && (int)line >= 1 && (int)line < (int)(N / W) - 1) {
      uint4 s = (uint4)0;
      for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
      s = s * 3u + in0[((int)line + dy) * (int)W + ((int)x + dx)] * (uint4)((uint)in1[(dy + 1) * 3 + dx + 1]);
      OUT(3) = (uint4)(s);
    }
  }
}
