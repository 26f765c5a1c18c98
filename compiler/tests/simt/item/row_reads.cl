// Linear reads of slices whose coordinates but the first are the same in a row ask whether its lanes may read for each other.
// R of UNORM_INT8 is e0000200.
// RUN: weftc --cpu=sapphirerapids --kernel=along --local-size=32,8,1 --ids-fit-31-bits --formats=e0000200 --stop-after=specialize-images --verify-each %s | FileCheck %s
// CHECK-LABEL: @along(
// CHECK: [[FITS:%.*]] = call {{.*}}@__weft_row_fits(
// CHECK: br i1 [[FITS]]
// CHECK: [[BETWEEN:%.*]] = call {{.*}}@__weft_row_any(
// CHECK: br i1 [[BETWEEN]]
// CHECK: call {{.*}}@__weft_row_take(
// RUN: weftc --cpu=sapphirerapids --kernel=along --local-size=32,8,1 --ids-fit-31-bits --formats=e0000200 --emit=asm %s -o - | FileCheck %s --check-prefix=ASM
// ASM-COUNT-4: {{vpermi2ps|vpermt2ps}}
// RUN: weftc --cpu=sapphirerapids --kernel=along --local-size=16,16,1 --ids-fit-31-bits --formats=e0000200 --emit=asm %s -o - | FileCheck %s --check-prefix=HALF
// HALF-COUNT-4: {{vperm(ps|d)}}

// Not where y follows from x, on processors without such permutations, in groups without rows, or of unknown size or format.
// RUN: weftc --cpu=sapphirerapids --kernel=across --local-size=32,8,1 --ids-fit-31-bits --formats=e0000200 --stop-after=specialize-images %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=along --local-size=32,8,1 --ids-fit-31-bits --formats=e0000200 --stop-after=specialize-images %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=along --local-size=8,8,1 --ids-fit-31-bits --formats=e0000200 --stop-after=specialize-images %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=along --ids-fit-31-bits --formats=e0000200 --stop-after=specialize-images %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=along --local-size=32,8,1 --required-only --formats=e0000200 --stop-after=specialize-images %s | FileCheck %s --check-prefix=NONE
// NONE: spir_kernel void @a
// NONE-NOT: call {{.*}}@__weft_row_

constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void along(read_only image3d_t in, global float* out, float z) {
  const float2 at = (float2)(get_global_id(0), get_global_id(1)) * 0.5f;
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = read_imagef(in, s, (float4)(at, z, 0)).x;
}
kernel void across(read_only image3d_t in, global float* out, float z) {
  const float2 at = (float2)(get_global_id(0), get_global_id(1) + get_global_id(0)) * 0.5f;
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = read_imagef(in, s, (float4)(at, z, 0)).x;
}
