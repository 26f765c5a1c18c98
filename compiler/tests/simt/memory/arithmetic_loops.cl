// What a register has operations for, or a few, is not computed for one lane after the other, whatever LLVM's tables think of the slowest processor with AVX2.
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --stop-after=scalarize-loops --kernel=rotations %s | FileCheck %s
// RUN: weftc --cpu=haswell --local-size=64,1,1 --ids-fit-31-bits --stop-after=scalarize-loops --kernel=rotations %s | FileCheck %s
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --stop-after=scalarize-loops --kernel=high_halves %s | FileCheck %s
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --stop-after=scalarize-loops --kernel=saturated %s | FileCheck %s
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --stop-after=scalarize-loops --kernel=rounds %s | FileCheck %s
// CHECK-NOT: by_lane
kernel void rotations(global const uint* a, global const uint* b, global uint* out, int n) {
  const int i = get_global_id(0);
  uint x = a[i], sum = 0;
  for (int j = 0; j < n; ++j) sum += rotate(x++, b[i]);
  out[i] = sum;
}
kernel void high_halves(global const uint* a, global const uint* b, global uint* out, int n) {
  const int i = get_global_id(0);
  uint x = a[i], sum = 0;
  for (int j = 0; j < n; ++j) sum += mul_hi(x++, b[i]);
  out[i] = sum;
}
kernel void saturated(global const long* a, global const long* b, global long* out, int n) {
  const int i = get_global_id(0);
  long x = a[i], sum = 0;
  for (int j = 0; j < n; ++j) sum += add_sat(x++, b[i]);
  out[i] = sum;
}
// A private array whose lanes lie side by side changes nothing.
kernel void rounds(global const uint* a, global uint* out, int n) {
  const int i = get_global_id(0);
  uint w[16];
  for (int j = 0; j < 16; ++j) w[j] = a[i * 16 + j];
  uint x = 1;
  for (int j = 0; j < n; ++j) {
    x += rotate(w[j & 15], x & 31) ^ rotate(w[(j + 9) & 15], 7u);
    w[j & 15] = x;
  }
  out[i] = x;
}
