// Coordinates in floating point have no shape. The code looks whether a warp's texels lie side by side, and then loads vectors.
// RUN: weftc --cpu=sapphirerapids --kernel=k --local-size=32,1,1 --coarsen=1 --formats=c0000205 --disable=texel-window --emit=llvm %s | FileCheck %s
// RUN: weftc --cpu=sapphirerapids --kernel=k --local-size=16,2,1 --coarsen=1 --formats=c0000205 --disable=texel-window --emit=llvm %s | FileCheck %s --check-prefix=HALF
// RUN: weftc --cpu=sapphirerapids --kernel=k --local-size=32,1,1 --coarsen=1 --formats=c0000205 --disable=texel-window,neighbours --emit=llvm %s | FileCheck %s --check-prefix=OFF
// CHECK-LABEL: @k.group(
// CHECK: neighbours
// CHECK: load <32 x i32>
// CHECK: scattered
// CHECK: masked.gather
// Rows of a group are shorter than a warp.
// HALF-LABEL: @k.group(
// HALF: load <16 x i32>
// HALF: load <16 x i32>
// OFF-LABEL: @k.group(
// OFF-NOT: load <32 x i32>
// OFF: masked.gather
kernel void k(read_only image2d_t in, global uint4* out) {
  const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const float2 at = (convert_float2(p) + 0.5f) / (float2)(640, 480);
  out[p.y * 640 + p.x] = convert_uint4(read_imagef(in, s, at) * 255.0f);
}

// A linear read loads a texel and its neighbour at once: two vectors a row, or a gather of 64 bits.
// RUN: weftc --cpu=sapphirerapids --kernel=linear --local-size=32,1,1 --coarsen=1 --formats=c0000205 --disable=texel-window --emit=llvm %s | FileCheck %s --check-prefix=PAIR
// PAIR-LABEL: @linear.group(
// PAIR: neighbours
// PAIR: load <32 x i32>
// PAIR: load <32 x i32>
// PAIR: scattered
// PAIR: call <32 x i64> @llvm.masked.gather
kernel void linear(read_only image2d_t in, global uint4* out) {
  const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const float2 at = (convert_float2(p) + 0.25f) / (float2)(640, 480);
  out[p.y * 640 + p.x] = convert_uint4(read_imagef(in, s, at) * 255.0f);
}

// What a list names may lie side by side too: the code asks two lanes, then all, and that none wraps around. Lists of bytes are indices of tables, and an index that is computed
// from an element is no place.
// RUN: weftc --cpu=sapphirerapids --kernel=listed --local-size=32,1,1 --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=LISTED
// RUN: weftc --cpu=sapphirerapids --kernel=listed --local-size=32,1,1 --coarsen=1 --disable=neighbours --emit=llvm %s | FileCheck %s --check-prefix=TABLE
// RUN: weftc --cpu=sapphirerapids --kernel=table --local-size=32,1,1 --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=TABLE
// RUN: weftc --cpu=sapphirerapids --kernel=computed --local-size=32,1,1 --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=TABLE
// LISTED-LABEL: @listed.group(
// LISTED: ordered{{.*}}:
// LISTED: icmp ne <32 x i32>
// LISTED: icmp sgt <32 x i32> {{%.*}}, {{.*}}2147483616
// LISTED: neighbours{{.*}}:
// LISTED: load <32 x float>
// LISTED: scattered{{.*}}:
// LISTED: masked.gather
// TABLE-NOT: {{^}}neighbours
// TABLE: masked.gather
kernel void listed(global const float* in, global const int* list, global float* out) {
  const size_t i = get_global_id(0);
  out[i] = in[list[i]];
}
kernel void table(global const float* in, global const uchar* list, global float* out) {
  const size_t i = get_global_id(0);
  out[i] = in[list[i]];
}
// RUN: weftc --cpu=sapphirerapids --kernel=many --local-size=32,1,1 --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=TABLE
// RUN: weftc --cpu=sapphirerapids --kernel=sixteen --local-size=32,1,1 --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=SIXTEEN
// Of more than sixteen the code would take long to make.
kernel void many(global const float* in, global const int* list, global float* out) {
  const size_t i = get_global_id(0);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 17; ++k) sum += in[list[i + 1000 * k]];
  out[i] = sum;
}
// SIXTEEN: {{^}}neighbours
kernel void sixteen(global const float* in, global const int* list, global float* out) {
  const size_t i = get_global_id(0);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) sum += in[list[i + 1000 * k]];
  out[i] = sum;
}
kernel void computed(global const float* in, global const int* list, global float* out) {
  const size_t i = get_global_id(0);
  out[i] = in[list[i] ^ 1];
}
