// write_imagef, write_imageh, write_imagei and write_imageui (OpenCL C 3.0 §6.15.15.4), of levels of a mipmap, too (OpenCL 3.0 Extension
// specification §39). What is outside is not written.
#include "image_address.h"
#include "image_coordinates.h"

WEFT_IMAGE_FUNCTION void __weft_image_write_words(WeftImageAt image, WeftLevelAt level, uint format, uint kind, int4 at, uint4 words);
void __weft_image_write_words(WeftImageAt image, WeftLevelAt level, uint format, uint kind, int4 at, uint4 words) {
  const int layer = kind == WEFT_1D_ARRAY ? at.y : at.z;
  bool inside = is_inside(at.x, level->width);
  if (has_rows(kind)) inside &= is_inside(at.y, level->height);
  if (has_slices(kind)) inside &= is_inside(at.z, level->depth);
  if (has_layers(kind)) inside &= is_inside(layer, image->layers);
  const int z = has_layers(kind) ? layer : at.z;
  if (!inside) return;
  count_texel(level, format, kind, at.x, at.y, z, 1);
  __weft_image_store(texel_address(shared_data(level), level, format, kind, at.x, at.y, z), format, words);
}

WEFT_HELPER WeftLevelAt level_of(WeftImageAt image, int level) { return &image->levels[to_edge(level, image->num_levels)]; }

WEFT_HELPER uint4 encoded(float4 color, uint format) { return __weft_image_encode_f(color, format); }
WEFT_HELPER uint4 encoded(half4 color, uint format) { return encoded(__builtin_convertvector(color, float4), format); }
WEFT_HELPER uint4 encoded(int4 color, uint format) { return __weft_image_encode_i(color, format); }
WEFT_HELPER uint4 encoded(uint4 color, uint format) { return __weft_image_encode_u(color, format); }
WEFT_HELPER uint4 encoded(float depth, uint format) { return __weft_image_encode_f((float4)(depth, 0, 0, 0), format); }

#define WRITE(F, suffix, type, kind, access, at, T)                                                                      \
  WEFT_BUILTIN void F(access type image, at where, T color) {                                                            \
    WeftImageAt to = __weft_descriptor_##suffix(image);                                                                  \
    const uint format = __weft_format(to);                                                                               \
    __weft_image_write_words(to, &to->base, format, kind, texel_of(where), encoded(color, format));                      \
  }
#define WRITE_LEVEL(F, suffix, type, kind, access, at, T)                                                                \
  WEFT_BUILTIN void F(access type image, at where, int level, T color) {                                                 \
    WeftImageAt to = __weft_descriptor_##suffix(image);                                                                  \
    const uint format = __weft_format(to);                                                                               \
    __weft_image_write_words(to, level_of(to, level), format, kind, texel_of(where), encoded(color, format));            \
  }
#define EACH_COLOR(M, suffix, type, kind, access, integers)                                                      \
  M(write_imagef, suffix, type, kind, access, integers, float4) M(write_imagei, suffix, type, kind, access, integers, int4) \
  M(write_imageui, suffix, type, kind, access, integers, uint4)
#define WRITE_COLOR(suffix, type, kind, access, integers, floats)    \
  EACH_COLOR(WRITE, suffix, type, kind, access, integers)            \
  WRITE(write_imageh, suffix, type, kind, access, integers, half4)
#define WRITE_COLOR_LEVEL(suffix, type, kind, access, integers, floats) EACH_COLOR(WRITE_LEVEL, suffix, type, kind, access, integers)
#define WRITE_DEPTH(suffix, type, kind, access, integers, floats) WRITE(write_imagef, suffix, type, kind, access, integers, float)
#define WRITE_DEPTH_LEVEL(suffix, type, kind, access, integers, floats) \
  WRITE_LEVEL(write_imagef, suffix, type, kind, access, integers, float)

#define WRITES(access)                     \
  WEFT_COLOR_IMAGES(WRITE_COLOR, access)   \
  WEFT_BUFFER_IMAGES(WRITE_COLOR, access)  \
  WEFT_DEPTH_IMAGES(WRITE_DEPTH, access)   \
  WEFT_COLOR_IMAGES(WRITE_COLOR_LEVEL, access) WEFT_DEPTH_IMAGES(WRITE_DEPTH_LEVEL, access)
WRITES(write_only)
WRITES(read_write)
