// Texels that neighbouring work-items read are converted once for the group: 36 x 12 of a group of 32 x 8 for 5 x 5 taps, in rows of whole
// warps. RGBA of UNORM_INT8 is e0000205, a plane of numbers each channel.
// RUN: weftc --kernel=box5 --local-size=32,8,1 --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=texel-tiles --verify-each %s | FileCheck %s
// CHECK-DAG: @box5.texels = internal addrspace(3) global [768 x float] poison, align 64
// CHECK-DAG: @box5.texels.3 = internal addrspace(3) global [768 x float] poison, align 64
// CHECK-LABEL: spir_kernel void @box5(
// CHECK: call <4 x float> @__weft_image_read_f_at(
// CHECK-COUNT-4: store float
// The rows beyond the group's own, by those work-items that have one left.
// CHECK: icmp ult i32 {{.*}}, 4
// CHECK: call void @__weft_barrier(i32 1)
// CHECK-NOT: @__weft_image_read_f_at(
// CHECK: load float, ptr addrspace(3)
// CHECK-NOT: @__weft_image_read_f_at(
// CHECK: ret void

// What taps read of a row is a vector.
// RUN: weftc --kernel=box5 --local-size=32,8,1 --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=widen --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARK --allow-empty
// REMARK-NOT: addrspace(3)

// A program's own local variables stay; only the channels that are used have a plane. Rows of 16 work-items are half a warp's.
// RUN: weftc --kernel=red --local-size=16,16,1 --ids-fit-31-bits --formats=e0000205,0 --stop-after=texel-tiles --verify-each %s | FileCheck %s --check-prefix=RED
// RED: @red.texels = internal addrspace(3) global [640 x float] poison
// RED-NOT: @red.texels.1
// RED-LABEL: spir_kernel void @red(
// RED: call void @__weft_barrier(i32 1)

// Coordinates in floating point at the middle of texels.
// RUN: weftc --kernel=middles --local-size=32,8,1 --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=texel-tiles --verify-each %s | FileCheck %s --check-prefix=MIDDLE
// MIDDLE-LABEL: spir_kernel void @middles(
// MIDDLE: sitofp i32
// MIDDLE: fadd float {{.*}}, 5.000000e-01
// MIDDLE: call <4 x float> @__weft_image_sample_f(
// MIDDLE: call void @__weft_barrier(i32 1)
// MIDDLE-NOT: @__weft_image_sample_f(
// MIDDLE: ret void

// A block of groups is one group.
// RUN: weftc --kernel=box5 --local-size=8,8,1 --fuse-groups=4 --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=texel-tiles --verify-each %s | FileCheck %s --check-prefix=BLOCK
// BLOCK: @box5.texels = internal addrspace(3) global [768 x float]
// BLOCK: call i32 @__weft_block_id()
// RUN: weftc --kernel=box5 --local-size=8,8,1 --fuse-groups=4 --partial-blocks --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=texel-tiles %s | FileCheck %s --check-prefix=NONE

// No tile: of floats, which need no conversion; of any format; of groups whose rows do not fill warps, or of any size; where most texels would lie
// around a group; of too few taps; at places that are not a constant away; beside `local` arguments; on required passes alone.
// RUN: weftc --kernel=box5 --local-size=32,8,1 --ids-fit-31-bits --formats=e0000e05,e0000e05 --stop-after=texel-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=box5 --local-size=32,8,1 --ids-fit-31-bits --stop-after=texel-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=box5 --local-size=24,8,1 --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=texel-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=box5 --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=texel-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=box5 --local-size=32,1,1 --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=texel-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=pair --local-size=32,8,1 --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=texel-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=scaled --local-size=32,8,1 --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=texel-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=beside --local-size=32,8,1 --ids-fit-31-bits --disable=texel-sums --formats=e0000205,e0000205 --stop-after=texel-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=box5 --required-only --local-size=32,8,1 --disable=texel-sums --formats=e0000205,e0000205 --stop-after=specialize-images %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: .texels
// NONE-NOT: @__weft_barrier(i32 1)
constant sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

int2 pixel() { return (int2)(get_global_id(0), get_global_id(1)); }

kernel void box5(read_only image2d_t in, write_only image2d_t out) {
  float4 sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) sum += read_imagef(in, edge, pixel() + (int2)(x, y));
  write_imagef(out, pixel(), sum * (1.0f / 25));
}

kernel void red(read_only image2d_t in, global float* out) {
  local float own[4];
  own[get_local_id(0) & 3] = 1;
  float sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) sum += read_imagef(in, edge, pixel() + (int2)(x, y)).x;
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum + own[0];
}

kernel void middles(read_only image2d_t in, write_only image2d_t out) {
  const float2 p = convert_float2(pixel()) + 0.5f;
  float4 sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) sum += read_imagef(in, border, p + (float2)(x, y));
  write_imagef(out, pixel(), sum * (1.0f / 25));
}

kernel void pair(read_only image2d_t in, write_only image2d_t out) {
  write_imagef(out, pixel(), read_imagef(in, edge, pixel()) + read_imagef(in, edge, pixel() + (int2)(1, 0)));
}

kernel void scaled(read_only image2d_t in, write_only image2d_t out) {
  float4 sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) sum += read_imagef(in, edge, 2 * pixel() + (int2)(x, y));
  write_imagef(out, pixel(), sum * (1.0f / 25));
}

kernel void beside(read_only image2d_t in, write_only image2d_t out, local float* own) {
  float4 sum = own[0];
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) sum += read_imagef(in, edge, pixel() + (int2)(x, y));
  write_imagef(out, pixel(), sum * (1.0f / 25));
}
