// Kernels that compute much for columns ask for groups of many rows, which share it, where no work-item can tell.
// RUN: weftc --info --emit=scalar -o /dev/null %s 2>&1 | FileCheck %s
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// CHECK-DAG: kernel enlarged: {{.*}}in groups of 16 rows
kernel void enlarged(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, linear, convert_float2(p) * 0.3f));
}

// A channel of a color.
// CHECK-DAG: kernel gradient: {{.*}}in groups of 16 rows
kernel void gradient(write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, (float4)(p.x * (1.0f / 1024), p.y * (1.0f / 1024), 0.5f, 1.0f));
}

// Each work-item has a column of its own.
// CHECK-DAG: kernel turned: {{.*}}rows of 32, single rows of 128 []
kernel void turned(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  const float2 f = convert_float2(p);
  write_imagef(out, p, read_imagef(in, linear, (float2)(0.8f * f.x - 0.6f * f.y, 0.6f * f.x + 0.8f * f.y)));
}

// Places of integers take little.
// CHECK-DAG: kernel copied: {{.*}}rows of 32, single rows of 128 []
kernel void copied(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, near, p));
}

// Loops make columns a small part.
// CHECK-DAG: kernel marched: {{.*}}rows of 32, single rows of 128 []
kernel void marched(read_only image2d_t in, write_only image2d_t out, int n) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int i = 0; i < n; ++i) sum += read_imagef(in, linear, convert_float2(p) * 0.3f + i);
  write_imagef(out, p, sum);
}

// A work-item knows its group.
// CHECK-DAG: kernel numbered: {{.*}}rows of 32, single rows of 128 []
kernel void numbered(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, linear, convert_float2(p) * 0.3f) + (float)get_group_id(1));
}
