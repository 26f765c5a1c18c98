// A short side whose branches have short sides, as of `a && b`, runs for all lanes.
// RUN: weftc --kernel=inside --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=linearize --verify-each %s | FileCheck %s
// RUN: weftc --kernel=twice --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=linearize --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @{{inside|twice}}.region.0(
// CHECK: phi i32
// CHECK-NOT: @weft.any
// CHECK: ret i32

// Where all of it is long, divides integers, which may trap, or loads from anywhere, warps that have no lane there jump over it.
// RUN: weftc --kernel=longer --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=linearize %s | FileCheck %s --check-prefix=JUMPS
// RUN: weftc --kernel=divided --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=linearize %s | FileCheck %s --check-prefix=JUMPS
// RUN: weftc --kernel=listed --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=linearize %s | FileCheck %s --check-prefix=JUMPS
// JUMPS: phi i32
// JUMPS: @weft.any

kernel void inside(global const float2* points, constant float2* line, const int n, global int* out) {
  const float2 p = points[get_global_id(0)];
  int count = 0;
  for (int k = 0; k + 1 < n; ++k) {
    const float2 a = line[k], b = line[k + 1];
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) / (b.y - a.y) * (p.y - a.y)) count = !count;
  }
  out[get_global_id(0)] = count;
}

kernel void twice(global const int* in, const int n, global int* out) {
  const int v = in[get_global_id(0)];
  int r = 0;
  for (int k = 0; k < n; ++k)
    if (v > k) {
      int s = r * k;
      if (v & 1 << k) s ^= v;
      r += s;
    }
  out[get_global_id(0)] = r;
}

kernel void longer(global const int* in, const int n, global int* out) {
  const int v = in[get_global_id(0)];
  int r = 0;
  for (int k = 0; k < n; ++k)
    if (v > k) {
      const int s = ((v * k ^ r) + v) * 3 ^ r << 2;
      if (s & 1) r += (s * v ^ k) * 7 ^ r;
    }
  out[get_global_id(0)] = r;
}

kernel void divided(global const int* in, const int n, global int* out) {
  const int v = in[get_global_id(0)];
  int r = 0;
  for (int k = 0; k < n; ++k)
    if (v > k && r / v > k) ++r;
  out[get_global_id(0)] = r;
}

kernel void listed(global const int* in, global const int* places, const int n, global int* out) {
  const int v = in[get_global_id(0)];
  int r = 0;
  for (int k = 0; k < n; ++k)
    if (v > k && places[v + k * v] > k) ++r;
  out[get_global_id(0)] = r;
}
