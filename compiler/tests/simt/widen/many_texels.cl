// Windows of texels are long code: a kernel that reads very many texels, each at a place of its own, has none, and compiles in less time. It still asks
// whether they are neighbours.
// RUN: weftc --cpu=sapphirerapids --kernel=some --local-size=64,1,1 --formats=e0000205 --stop-after=widen %s | FileCheck %s --check-prefix=SOME
// RUN: weftc --cpu=sapphirerapids --kernel=many --local-size=64,1,1 --formats=e0000205 --stop-after=widen %s | FileCheck %s --check-prefix=MANY

// SOME: {{^}}window
// MANY-NOT: {{^}}window
// MANY: {{^}}neighbours
// MANY-NOT: {{^}}window

constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

#define READ(k) sum += read_imagef(image, near, (float2)(place.x * (k), place.y)).x;
#define READ4(k) READ(k) READ(k + 1) READ(k + 2) READ(k + 3)
#define READ32(k) READ4(k) READ4(k + 4) READ4(k + 8) READ4(k + 12) READ4(k + 16) READ4(k + 20) READ4(k + 24) READ4(k + 28)

kernel void some(read_only image2d_t image, global float2* places, global float* sums) {
  const size_t i = get_global_id(0);
  const float2 place = places[i];
  float sum = 0;
  READ32(1)
  sums[i] = sum;
}
kernel void many(read_only image2d_t image, global float2* places, global float* sums) {
  const size_t i = get_global_id(0);
  const float2 place = places[i];
  float sum = 0;
  READ32(1) READ32(33) READ32(65) READ32(97) READ32(129)
  sums[i] = sum;
}
