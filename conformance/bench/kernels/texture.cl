// Kernels on images. `in` is read, `out` written, a work-item a pixel of `out`.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t edge_linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t border_linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
constant sampler_t unit_linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t unit_mirror = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;

int2 pixel() { return (int2)(get_global_id(0), get_global_id(1)); }

kernel void invert(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  write_imagef(out, p, 1.0f - read_imagef(in, edge, p));
}

kernel void box5(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  float4 sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) sum += read_imagef(in, edge, p + (int2)(x, y));
  write_imagef(out, p, sum * (1.0f / 25));
}

// The same on buffers.
kernel void box5_buffer(global const uchar4* in, global uchar4* out, int width, int height) {
  const int2 p = pixel();
  float4 sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x)
      sum += convert_float4(in[clamp(p.y + y, 0, height - 1) * width + clamp(p.x + x, 0, width - 1)]);
  out[p.y * width + p.x] = convert_uchar4_sat_rte(sum * (1.0f / 25));
}

kernel void convolve7(read_only image2d_t in, write_only image2d_t out, constant float* weights) {
  const int2 p = pixel();
  float4 sum = 0;
  for (int y = -3; y <= 3; ++y)
    for (int x = -3; x <= 3; ++x) sum += weights[(y + 3) * 7 + x + 3] * read_imagef(in, edge, p + (int2)(x, y));
  write_imagef(out, p, sum);
}

kernel void gauss3(read_only image2d_t in, write_only image2d_t out) {
  const float2 p = convert_float2(pixel()) + 0.5f;
  float4 sum = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += (float)((2 - abs(x)) * (2 - abs(y))) * read_imagef(in, border, p + (float2)(x, y));
  write_imagef(out, p.x < 0 ? (int2)(0) : pixel(), sum * (1.0f / 16));
}

kernel void sobel(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  float t[3][3];
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) t[y][x] = read_imagef(in, edge, p + (int2)(x - 1, y - 1)).x;
  const float h = t[0][2] + 2 * t[1][2] + t[2][2] - t[0][0] - 2 * t[1][0] - t[2][0];
  const float v = t[2][0] + 2 * t[2][1] + t[2][2] - t[0][0] - 2 * t[0][1] - t[0][2];
  write_imagef(out, p, (float4)(sqrt(h * h + v * v) * 0.25f));
}

kernel void bilateral5(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  const float4 middle = read_imagef(in, edge, p);
  float4 sum = 0;
  float total = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) {
      const float4 c = read_imagef(in, edge, p + (int2)(x, y));
      const float4 d = c - middle;
      const float w = native_exp(-(d.x * d.x + d.y * d.y + d.z * d.z) * 10.0f - (float)(x * x + y * y) * 0.1f);
      sum += w * c;
      total += w;
    }
  write_imagef(out, p, sum / total);
}

kernel void resize(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  const float2 at = (convert_float2(p) + 0.5f) / convert_float2(get_image_dim(out));
  write_imagef(out, p, read_imagef(in, unit_linear, at));
}

float2 turned(int2 p, int2 size) {
  const float2 middle = convert_float2(size) * 0.5f, d = convert_float2(p) + 0.5f - middle;
  return (float2)(0.8f * d.x - 0.6f * d.y, 0.6f * d.x + 0.8f * d.y) + middle;
}

kernel void rotate_linear(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  write_imagef(out, p, read_imagef(in, border_linear, turned(p, get_image_dim(out))));
}

kernel void mirror(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  write_imagef(out, p, read_imagef(in, unit_mirror, convert_float2(p) * (2.5f / 1024)));
}

constant sampler_t unit_repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;

kernel void tiles(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  write_imagef(out, p, read_imagef(in, unit_repeat, (convert_float2(p) + 0.5f) * (1.0f / 512)));
}

kernel void to_buffer(read_only image2d_t in, global float4* out) {
  const int2 p = pixel();
  out[p.y * get_image_width(in) + p.x] = read_imagef(in, edge, p);
}

// As `invert`, on buffers.
kernel void invert_buffer(global const uchar4* in, global uchar4* out, int width, int height) {
  const int2 p = pixel();
  const float4 c = convert_float4(in[clamp(p.y, 0, height - 1) * width + clamp(p.x, 0, width - 1)]) * (1.0f / 255);
  out[p.y * width + p.x] = convert_uchar4_sat_rte((1.0f - c) * 255.0f);
}

// As `box5`, of one float, on buffers.
kernel void box5_floats(global const float* in, global float* out, int width, int height) {
  const int2 p = pixel();
  float sum = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) sum += in[clamp(p.y + y, 0, height - 1) * width + clamp(p.x + x, 0, width - 1)];
  out[p.y * width + p.x] = sum * (1.0f / 25);
}

// A slanted slice of a volume.
kernel void slice(read_only image3d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  const float2 at = (convert_float2(p) + 0.5f) * (64.0f / 1024);
  write_imagef(out, p, read_imagef(in, edge_linear, (float4)(at, at.x * 0.5f + at.y * 0.25f, 0)));
}

// Sixteen samples a pixel, anywhere.
kernel void scattered(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  uint state = (uint)(p.y * 1024 + p.x) * 747796405u + 2891336453u;
  float4 sum = 0;
  for (int i = 0; i < 16; ++i) {
    state = state * 1664525u + 1013904223u;
    sum += read_imagef(in, edge_linear, (float2)((float)(state >> 23), (float)(state >> 14 & 511)) + 0.25f);
  }
  write_imagef(out, p, sum * (1.0f / 16));
}

kernel void color_table(read_only image2d_t in, write_only image2d_t out, read_only image1d_t table) {
  const int2 p = pixel();
  write_imagef(out, p, read_imagef(table, unit_linear, read_imagef(in, edge, p).x));
}

kernel void threshold(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  const uint4 c = read_imageui(in, edge, p);
  write_imageui(out, p, c.x + c.y + c.z > 384 ? (uint4)(255) - c : c);
}

kernel void gradient(write_only image2d_t out) {
  const int2 p = pixel();
  write_imagef(out, p, (float4)(p.x * (1.0f / 1024), p.y * (1.0f / 1024), 0.5f, 1.0f));
}

kernel void layers(read_only image2d_array_t in, write_only image2d_t out) {
  const int2 p = pixel();
  float4 sum = 0;
  for (int i = 0; i < 4; ++i) sum += read_imagef(in, edge, (int4)(p, i, 0));
  write_imagef(out, p, sum * 0.25f);
}

kernel void march(read_only image3d_t in, write_only image2d_t out) {
  const int2 p = pixel();
  const float2 at = (convert_float2(p) + 0.5f) * (64.0f / 512);
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += read_imagef(in, edge_linear, (float4)(at.x + i * 0.1f, at.y - i * 0.1f, i + 0.5f, 0)).x;
  write_imagef(out, p, (float4)(sum * (1.0f / 64)));
}
