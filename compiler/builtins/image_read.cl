// read_imagef, read_imageh, read_imagei and read_imageui (OpenCL C 3.0 §6.15.15.2 and §6.15.15.3).
#include "image_address.h"
#include "image_coordinates.h"

// With a sampler, at integer and float coordinates.
#define SAMPLED(F, result, suffix, type, kind, access, at, T, convert)                                                    \
  WEFT_BUILTIN T F(access type image, sampler_t sampler, at where) {                                                      \
    WeftImageAt from = __weft_descriptor_##suffix(image);                                                                 \
    return convert(__weft_image_##result(from, LEVEL_##result __weft_format(from), __weft_sampler_bits(sampler), kind,    \
                                         AT_##result(where)));                                                            \
  }
#define LEVEL_read_f_at
#define LEVEL_read_u_at
#define LEVEL_sample_f &from->base,
#define LEVEL_sample_u &from->base,
#define AT_read_f_at texel_of
#define AT_read_u_at texel_of
#define AT_sample_f point_of
#define AT_sample_u point_of
#define SAME
#define HALVES(color) __builtin_convertvector(color, half4)
#define FIRST(color) (color).s0

#define SAMPLED_COLOR(suffix, type, kind, access, integers, floats)                       \
  SAMPLED(read_imagef, read_f_at, suffix, type, kind, access, integers, float4, SAME)     \
  SAMPLED(read_imagef, sample_f, suffix, type, kind, access, floats, float4, SAME)        \
  SAMPLED(read_imageh, read_f_at, suffix, type, kind, access, integers, half4, HALVES)    \
  SAMPLED(read_imageh, sample_f, suffix, type, kind, access, floats, half4, HALVES)       \
  SAMPLED(read_imagei, read_u_at, suffix, type, kind, access, integers, int4, as_int4)    \
  SAMPLED(read_imagei, sample_u, suffix, type, kind, access, floats, int4, as_int4)       \
  SAMPLED(read_imageui, read_u_at, suffix, type, kind, access, integers, uint4, SAME)     \
  SAMPLED(read_imageui, sample_u, suffix, type, kind, access, floats, uint4, SAME)
WEFT_COLOR_IMAGES(SAMPLED_COLOR, read_only)
#define SAMPLED_DEPTH(suffix, type, kind, access, integers, floats)                   \
  SAMPLED(read_imagef, read_f_at, suffix, type, kind, access, integers, float, FIRST) \
  SAMPLED(read_imagef, sample_f, suffix, type, kind, access, floats, float, FIRST)
WEFT_DEPTH_IMAGES(SAMPLED_DEPTH, read_only)

// Without one: coordinates are inside, or else at the edge.
#define PLAIN(F, result, suffix, type, kind, access, at, T, convert)                                                    \
  WEFT_BUILTIN T F(access type image, at where) {                                                                       \
    WeftImageAt from = __weft_descriptor_##suffix(image);                                                               \
    return convert(__weft_image_##result(from, __weft_format(from), CLK_ADDRESS_NONE, kind, texel_of(where)));          \
  }
#define PLAIN_COLOR(suffix, type, kind, access, integers, floats)                       \
  PLAIN(read_imagef, read_f_at, suffix, type, kind, access, integers, float4, SAME)     \
  PLAIN(read_imageh, read_f_at, suffix, type, kind, access, integers, half4, HALVES)    \
  PLAIN(read_imagei, read_u_at, suffix, type, kind, access, integers, int4, as_int4)    \
  PLAIN(read_imageui, read_u_at, suffix, type, kind, access, integers, uint4, SAME)
#define PLAIN_DEPTH(suffix, type, kind, access, integers, floats) \
  PLAIN(read_imagef, read_f_at, suffix, type, kind, access, integers, float, FIRST)
WEFT_COLOR_IMAGES(PLAIN_COLOR, read_only)
WEFT_BUFFER_IMAGES(PLAIN_COLOR, read_only)
WEFT_DEPTH_IMAGES(PLAIN_DEPTH, read_only)

// What other work-items may write: memory that lanes share.
static inline __attribute__((always_inline)) uint4 shared_words(WeftImageAt image, uint format, uint kind, int4 at) {
  WeftLevelAt level = &image->base;
  const int x = to_edge(at.x, level->width);
  const int y = has_rows(kind) ? to_edge(at.y, level->height) : 0;
  int z = 0;
  if (has_slices(kind)) z = to_edge(at.z, level->depth);
  if (has_layers(kind)) z = layer_of(kind == WEFT_1D_ARRAY ? at.y : at.z, image);
  count_texel(level, format, kind, x, y, z, 0);
  return __weft_image_load_shared(texel_address(shared_data(level), level, format, kind, x, y, z), format);
}

WEFT_IMAGE_FUNCTION float4 __weft_image_read_shared_f(WeftImageAt image, uint format, uint sampler, uint kind, int4 at);
WEFT_IMAGE_FUNCTION uint4 __weft_image_read_shared_u(WeftImageAt image, uint format, uint sampler, uint kind, int4 at);

float4 __weft_image_read_shared_f(WeftImageAt image, uint format, uint sampler, uint kind, int4 at) {
  float4 channels = __weft_image_decode_f(shared_words(image, format, kind, at), format);
  if (is_padded(format)) channels.s3 = 1.0f;
  return in_color_order(__weft_image_scale(channels, format), format);
}
uint4 __weft_image_read_shared_u(WeftImageAt image, uint format, uint sampler, uint kind, int4 at) {
  return in_color_order(__weft_image_decode_u(shared_words(image, format, kind, at), format), format);
}

#define SHARED_COLOR(suffix, type, kind, access, integers, floats)                           \
  PLAIN(read_imagef, read_shared_f, suffix, type, kind, access, integers, float4, SAME)      \
  PLAIN(read_imageh, read_shared_f, suffix, type, kind, access, integers, half4, HALVES)     \
  PLAIN(read_imagei, read_shared_u, suffix, type, kind, access, integers, int4, as_int4)     \
  PLAIN(read_imageui, read_shared_u, suffix, type, kind, access, integers, uint4, SAME)
#define SHARED_DEPTH(suffix, type, kind, access, integers, floats) \
  PLAIN(read_imagef, read_shared_f, suffix, type, kind, access, integers, float, FIRST)
WEFT_COLOR_IMAGES(SHARED_COLOR, read_write)
WEFT_BUFFER_IMAGES(SHARED_COLOR, read_write)
WEFT_DEPTH_IMAGES(SHARED_DEPTH, read_write)
