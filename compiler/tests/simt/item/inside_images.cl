// A filter's code twice: for warps whose texels all lie inside, without bounds and unrolled, and for the others.
// RUN: weftc --kernel=cross --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=inside-images --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @cross.item(
// CHECK: front:
// CHECK: [[IN:%.*]] = call i1 @weft.all(i1
// CHECK-NEXT: br i1 [[IN]], label %[[INSIDE:.*]], label %[[EDGE:.*]], !weft.inside
// CHECK: [[EDGE]]:
// CHECK: call i32 @llvm.smin.i32
// CHECK: [[INSIDE]]:
// CHECK-NOT: @llvm.smin
// CHECK-NOT: @llvm.smax.i32
// CHECK-NOT: br i1
// CHECK-COUNT-5: !weft.texel
// CHECK: store volatile i32

// Coordinates in floating point that are whole anyway are integers, with a border, too. Halves are cast as memory has them.
// RUN: weftc --kernel=centres --local-size=32,8,1 --ids-fit-31-bits --formats=e0000d05,e0000d05 --stop-after=inside-images --verify-each %s | FileCheck %s --check-prefix=WHOLE
// WHOLE-LABEL: define internal i32 @centres.item(
// WHOLE-NOT: @llvm.floor
// WHOLE: call i1 @weft.all(
// WHOLE: inside:
// WHOLE: load <2 x i32>, {{.*}}!weft.texel
// WHOLE-NEXT: bitcast <2 x i32> {{.*}} to <4 x half>

// Of ids that may be larger, or of numbers that are not whole, nothing is known.
// RUN: weftc --kernel=centres --local-size=32,8,1 --formats=e0000d05,e0000d05 --stop-after=inside-images %s | FileCheck %s --check-prefix=FLOAT
// RUN: weftc --kernel=between --local-size=32,8,1 --ids-fit-31-bits --formats=e0000d05,e0000d05 --stop-after=inside-images %s | FileCheck %s --check-prefix=FLOAT
// FLOAT: @llvm.floor
// FLOAT-NOT: @weft.all

// Too few texels for a second copy.
// RUN: weftc --kernel=copy --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=inside-images %s | FileCheck %s --check-prefix=ONCE
// ONCE-NOT: @weft.all
constant sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void cross(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = read_imagef(in, edge, p);
  for (int i = -1; i <= 1; i += 2) sum += read_imagef(in, edge, p + (int2)(i, 0)) + read_imagef(in, edge, p + (int2)(0, i));
  write_imagef(out, p, sum * 0.2f);
}

kernel void centres(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const float2 c = convert_float2(p) + 0.5f;
  float4 sum = 0;
  for (int i = -2; i <= 2; ++i) sum += read_imagef(in, border, c + (float2)(i, 1));
  write_imagef(out, p, sum);
}

kernel void between(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const float2 c = convert_float2(p) + 0.3f;
  float4 sum = 0;
  for (int i = -2; i <= 2; ++i) sum += read_imagef(in, border, c + (float2)(i, 1));
  write_imagef(out, p, sum);
}

kernel void copy(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, edge, p));
}
