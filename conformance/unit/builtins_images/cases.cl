// The builtins' functions with results through pointers, which C++ can call.
#include "image_format.h"

void sample_f(const __constant struct WeftImage* image, uint format, uint sampler, uint kind, const __private float* at,
              __private float* color) {
  const float4 c = __weft_image_sample_f(image, &image->base, format, sampler, kind, (float4)(at[0], at[1], at[2], at[3]));
  color[0] = c.s0, color[1] = c.s1, color[2] = c.s2, color[3] = c.s3;
}
void sample_u(const __constant struct WeftImage* image, uint format, uint sampler, uint kind, const __private float* at,
              __private uint* color) {
  const uint4 c = __weft_image_sample_u(image, &image->base, format, sampler, kind, (float4)(at[0], at[1], at[2], at[3]));
  color[0] = c.s0, color[1] = c.s1, color[2] = c.s2, color[3] = c.s3;
}
void encode_f(const __private float* color, uint format, __private uint* words) {
  const uint4 w = __weft_image_encode_f((float4)(color[0], color[1], color[2], color[3]), format);
  words[0] = w.s0, words[1] = w.s1, words[2] = w.s2, words[3] = w.s3;
}
void encode_i(const __private int* color, uint format, __private uint* words) {
  const uint4 w = __weft_image_encode_i((int4)(color[0], color[1], color[2], color[3]), format);
  words[0] = w.s0, words[1] = w.s1, words[2] = w.s2, words[3] = w.s3;
}
void encode_u(const __private uint* color, uint format, __private uint* words) {
  const uint4 w = __weft_image_encode_u((uint4)(color[0], color[1], color[2], color[3]), format);
  words[0] = w.s0, words[1] = w.s1, words[2] = w.s2, words[3] = w.s3;
}

// The primitive of code that counts (simt/item/probes.h): nobody does here.
void __weft_count_texel(uint column, uint row, uint bytes, uint is_write) {}

// Those of rows (simt/ir/lane_rows.h): a work-item here has none.
bool __weft_row_fits(int low, int high, int count, float y, float z) { return false; }
int __weft_row_first(int low, int high, int count) { return 0; }
int __weft_row_lane(void) { return 0; }
float __weft_row_take(float value, int lane) { return value; }
