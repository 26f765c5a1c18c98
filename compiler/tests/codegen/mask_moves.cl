// A mask's extension is no move between mask registers, which LLVM would take for one of all their bits.
// RUN: weftc --cpu=skylake-avx512 --local-size=3,5,7 --coarsen=4 --emit asm %s | FileCheck %s --implicit-check-not 'kmov{{[bwd]}} %k{{[0-7]}}, %k'
// CHECK: korb
kernel void k(global const uchar* restrict in1, global const ushort* restrict in2, global uchar* restrict out) {
  const size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const size_t W = get_global_size(0), H = get_global_size(1), N = W * H * get_global_size(2);
  const size_t i = (z * H + y) * W + x;
  const int n = in2[i] & 15;
  for (int q = 0; q < n; ++q) out[q * N + i] = (uchar)(q+1);
  for (int q = 14; q >= 0; --q) out[q * N + i] = out[q * N + i] + out[(q + 1) * N + i];
}
