// Lanes that load OpenCL vectors closer together than these are long take each component out of one row.
// RUN: weftc --cpu=sapphirerapids --kernel=floats --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=sapphirerapids --kernel=thirds --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=THIRDS
// RUN: weftc --cpu=sapphirerapids --kernel=back --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=BACK
// RUN: weftc --cpu=sapphirerapids --kernel=some --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --disable=full-guards --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=SOME
// RUN: weftc --cpu=haswell --kernel=bytes --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --disable=full-guards --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PAGE
// RUN: weftc --cpu=sapphirerapids --kernel=wraps --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=WRAPS
// A component whose lanes lie side by side is a load.
// CHECK-LABEL: @floats.region.0.warp(
// CHECK-COUNT-4: load <32 x float>
// CHECK-NOT: load <
// All of a row, and nothing behind it.
// THIRDS-LABEL: @thirds.region.0.warp(
// THIRDS: load <64 x i8>
// THIRDS: getelementptr i8, ptr {{.*}}, i64 37
// THIRDS-NEXT: load <64 x i8>
// THIRDS-NOT: load <
// THIRDS-COUNT-8: shufflevector <64 x i8> {{.*}} <32 x i32>
// BACK-LABEL: @back.region.0.warp(
// BACK: getelementptr i8, ptr {{.*}}, i64 -248
// BACK: load <16 x float>
// From the first live lane's to the last one's.
// SOME-LABEL: @some.region.0.warp(
// SOME: call i32 @llvm.cttz.i32
// SOME: call i32 @llvm.ctlz.i32
// SOME: masked.load.v64i8
// PAGE-LABEL: @bytes.region.0.warp(
// PAGE: and i64 {{.*}}, 4095
// PAGE: overlapping:
// PAGE: apart:
// WRAPS-LABEL: @wraps.region.0.warp(
// WRAPS: contiguous:
// WRAPS-COUNT-4: load <32 x float>
// WRAPS: wrapped:
//
// Not where what lies between is more than the vectors, where it takes more shuffles than each lane's own, or where the name is left out.
// RUN: weftc --cpu=sapphirerapids --kernel=far --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=APART
// RUN: weftc --cpu=sapphirerapids --kernel=sevenths --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=APART
// RUN: weftc --cpu=sapphirerapids --kernel=floats --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --disable=overlapping-lanes --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=APART
// APART: load of {{.*}}: one lane after the other
kernel void floats(global const float* in, global float* out) {
  const int x = get_global_id(0);
  const float4 around = vload4(0, in + x);
  out[x] = around.x + 2 * around.y + 3 * around.z + 4 * around.w;
}

kernel void wraps(global const float* in, global float* out, uint from) {
  const uint x = get_global_id(0);
  const float4 around = vload4(0, in + (from + x));
  out[x] = around.x + 2 * around.y + 3 * around.z + 4 * around.w;
}

kernel void thirds(global const uchar* in, global float* out) {
  const int x = get_global_id(0);
  const float8 row = convert_float8(vload8(0, in + 3 * x));
  out[x] = dot(row.lo, row.hi);
}

kernel void back(global const float* in, global float* out, int last) {
  const int x = get_global_id(0);
  const float4 row = vload4(0, in + (last - 2 * x));
  out[x] = row.x + 2 * row.y + 3 * row.z + 4 * row.w;
}

kernel void some(global const uchar* in, global float* out, int width) {
  const int x = get_global_id(0);
  if (x * 7 % 5 < width) {
    const float8 row = convert_float8(vload8(0, in + 3 * x));
    out[x] = dot(row.lo, row.hi);
  }
}

kernel void bytes(global const uchar* in, global float* out, int width) {
  const int x = get_global_id(0);
  if (x * 7 % 5 < width) {
    const float8 row = convert_float8(vload8(0, in + x));
    out[x] = dot(row.lo, row.hi);
  }
}

kernel void far(global const float* in, global float* out) {
  const int x = get_global_id(0);
  const float4 row = vload4(0, in + 9 * x);
  out[x] = row.x + 2 * row.y + 3 * row.z + 4 * row.w;
}

kernel void sevenths(global const float* in, global float* out) {
  const int x = get_global_id(0);
  const float8 row = vload8(0, in + 7 * x);
  out[x] = dot(row.lo, row.hi);
}
