// Coordinates are vectors in the program, and numbers of their own in addresses: texels of a row are neighbours.
// RUN: weftc --kernel=blur --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --formats=c0000205,c0000205 --disable=bounded-window --emit=llvm %s | FileCheck %s
// CHECK-LABEL: @blur.group(
// CHECK-COUNT-3: {{^}}contiguous
kernel void blur(read_only image2d_t in, write_only image2d_t out) {
  const sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int x = -1; x <= 1; ++x) sum += read_imagef(in, s, p + (int2)(x, 0));
  write_imagef(out, p, sum);
}
