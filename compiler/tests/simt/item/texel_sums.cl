// Sums of texels of four bytes that end in a write of bytes: two channels a word, scaled and rounded there, too. RGBA of UNORM_INT8 is e0000205, BGRA e0000206.
// RUN: weftc --kernel=box --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=texel-sums --verify-each %s | FileCheck %s
// RUN: weftc --kernel=weights --local-size=32,8,1 --ids-fit-31-bits --formats=e0000206,e0000206 --stop-after=texel-sums --verify-each %s | FileCheck %s --check-prefix=WEIGHTS
// CHECK-LABEL: spir_kernel void @box(
// In a loop, too.
// CHECK: phi i32
// CHECK: phi i32
// The texel's word, read as one number of 32 bits.
// CHECK: call <4 x float> @__weft_image_read_f_at({{.*}}-536867328,
// CHECK: bitcast float {{.*}} to i32
// CHECK: lshr i32 {{.*}}, 8
// CHECK: and i32 {{.*}}, 16711935
// CHECK: add i32
// CHECK: add nuw i32
// CHECK-NOT: fadd
// What the odd channels are of whole words is taken away.
// CHECK: [[ODD:%.*]] = shl i32 {{.*}}, 8
// CHECK: sub i32 {{.*}}, [[ODD]]
// A 25th, rounded: the upper half of a product.
// CHECK: add nuw i32 {{.*}}, 786444
// CHECK: zext <2 x i16> {{.*}} to <2 x i32>
// CHECK: mul nuw <2 x i32> {{.*}}41943
// CHECK: lshr <2 x i32> {{.*}}16
// CHECK: lshr i32 {{.*}}, 4
// CHECK-NOT: __weft_image_encode_f
// CHECK: ret void
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void box(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) sum += read_imagef(in, edge, p + (int2)(x, y));
  write_imagef(out, p, sum / 25.0f);
}

// WEIGHTS-LABEL: spir_kernel void @weights(
// WEIGHTS: mul i32 {{.*}}, 2
// WEIGHTS-NOT: fadd
// A quarter: a shift, of halves that do not reach into each other. Between orders of channels two change places.
// WEIGHTS: add nuw i32 {{.*}}, 131074
// WEIGHTS: lshr i32 {{.*}}, 2
// WEIGHTS-NEXT: and i32 {{.*}}, 16711935
// WEIGHTS-NOT: mul
// WEIGHTS: ret void
// RUN: weftc --kernel=weights --local-size=32,8,1 --ids-fit-31-bits --formats=e0000206,e0000205 --stop-after=texel-sums --verify-each %s | FileCheck %s --check-prefix=TURNED
// TURNED: add nuw i32
// TURNED: lshr i32 {{.*}}, 2
// TURNED: shl i32 {{.*}}, 16
// TURNED: lshr i32 {{.*}}, 16
// TURNED: or i32
kernel void weights(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, (read_imagef(in, edge, p - 1) + read_imagef(in, edge, p) * 2.0f + read_imagef(in, edge, p + 1)) * 0.25f);
}

// Channels of 16 bits: a pair of words a texel, scaled and rounded in floats. RGBA of UNORM_INT16 is e0000305.
// RUN: weftc --kernel=box --local-size=32,8,1 --ids-fit-31-bits --formats=e0000305,e0000305 --stop-after=texel-sums --verify-each %s | FileCheck %s --check-prefix=HALVES
// HALVES-LABEL: spir_kernel void @box(
// HALVES: bitcast <2 x float> {{.*}} to <2 x i32>
// HALVES: [[UPPER:%.*]] = lshr <2 x i32> {{.*}}16
// HALVES: add nuw <2 x i32> {{.*}}[[UPPER]]
// HALVES-NOT: fadd
// HALVES: sitofp <2 x i32>
// HALVES: @llvm.fmuladd.v2f32({{.*}}0x4160000000000000
// HALVES-NOT: __weft_image_encode_f
// HALVES: ret void
// Bytes that are written as such: the color is a quotient again.
// RUN: weftc --kernel=box --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000305 --stop-after=texel-sums --verify-each %s | FileCheck %s --check-prefix=WIDER
// WIDER: sitofp <4 x i32>
// WIDER: call <4 x i32> @__weft_image_encode_f

// What may become more than 255 is bounded in floating point.
// RUN: weftc --kernel=bright --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=texel-sums --verify-each %s | FileCheck %s --check-prefix=BRIGHT
// BRIGHT-LABEL: spir_kernel void @bright(
// BRIGHT: sitofp <4 x i32>
// BRIGHT: fmul <4 x float> {{.*}}0x3F70101020000000
// BRIGHT: call <4 x i32> @__weft_image_encode_f
kernel void bright(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, (read_imagef(in, edge, p - 1) + read_imagef(in, edge, p)) * 0.75f);
}

// Not sums that are written otherwise, that are scaled beyond what roundings may amount to, whose taps are not whole or may not be counted, or that have
// more terms than 16 bits hold.
// RUN: weftc --kernel=kept --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=texel-sums %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=floats --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000e05 --stop-after=texel-sums %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=loud --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=texel-sums %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=any_count --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=texel-sums %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=large --local-size=32,8,1 --ids-fit-31-bits --formats=e0000205,e0000205 --stop-after=texel-sums %s | FileCheck %s --check-prefix=KEPT
// KEPT-NOT: sitofp <4 x i32> {{.*}} to <4 x float>, !dbg
// KEPT: spir_kernel void @
// KEPT: fadd <4 x float>
kernel void kept(read_only image2d_t in, write_only image2d_t out, global float4* buffer) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const float4 sum = read_imagef(in, edge, p) + read_imagef(in, edge, p + 1) + read_imagef(in, edge, p - 1);
  buffer[p.x] = sum;
  write_imagef(out, p, sum * 0.3f);
}
kernel void floats(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, (read_imagef(in, edge, p) + read_imagef(in, edge, p + 1) + read_imagef(in, edge, p - 1)) * 0.3f);
}
kernel void loud(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, (read_imagef(in, edge, p) + read_imagef(in, edge, p + 1) + read_imagef(in, edge, p - 1)) * 5000.0f);
}
kernel void any_count(read_only image2d_t in, write_only image2d_t out, int n) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int i = 0; i < n; ++i) sum += read_imagef(in, edge, p + i);
  write_imagef(out, p, sum * 0.01f);
}
kernel void large(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 20; ++x) sum += read_imagef(in, edge, p + (int2)(x, y));
  write_imagef(out, p, sum * 0.0025f);
}
