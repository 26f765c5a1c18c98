// A loop whose iterations wait for what the ones before have left in a private array, at the end of divisions and roots, takes long for a lane alone; side by
// side lanes wait together.
//
// RUN: weftc --kernel=rotations --local-size=64 --cpu=znver4 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=LONG
// RUN: weftc --kernel=swaps --local-size=64 --cpu=znver4 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=SHORT

// LONG-NOT: by_lane
kernel void rotations(global const float* in, global const int* pairs, global float* out, int n) {
  int g = get_global_id(0);
  float a[9];
  for (int i = 0; i < 9; i++) a[i] = in[9 * g + i];
  for (int i = 0; i < n; i++) {
    int p = pairs[(g + i) & 63] & 7;
    if (fabs(a[p]) < 1e-6f) break;
    float t = (a[p + 1] - a[0]) / (2 * a[p]);
    float s = 1 / sqrt(1 + t * t);
    float x = a[p], y = a[p + 1];
    a[p] = s * x - t * s * y;
    a[p + 1] = t * s * x + s * y;
  }
  for (int i = 0; i < 9; i++) out[9 * g + i] = a[i];
}

// SHORT: call {{.*}}by_lane
kernel void swaps(global const float* in, global const int* pairs, global float* out, int n) {
  int g = get_global_id(0);
  float a[9];
  for (int i = 0; i < 9; i++) a[i] = in[9 * g + i];
  for (int i = 0; i < n; i++) {
    int p = pairs[(g + i) & 63] & 7;
    if (fabs(a[p]) < 1e-6f) break;
    float x = a[p], y = a[p + 1];
    a[p] = y;
    a[p + 1] = x;
  }
  for (int i = 0; i < 9; i++) out[9 * g + i] = a[i];
}
