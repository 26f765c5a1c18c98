// Reads of mipmaps at a level of detail or with gradients (OpenCL 3.0 Extension specification §39, cl_khr_mipmap_image). Levels are
// chosen as CL_FILTER_NEAREST does, the only mip filter that kernels' samplers have.
#include "image_address.h"
#include "image_coordinates.h"

WEFT_HELPER WeftLevelAt level_for(WeftImageAt image, float lod) {
  const float nearest = __builtin_elementwise_ceil(lod + 0.5f) - 1.0f;
  return &image->levels[(int)bounded_coordinate(nearest, 0.0f, (float)(int)(image->num_levels - 1))];
}

// The level whose texels are as far apart as neighbouring samples (OpenGL 4.6 §8.14.1).
WEFT_HELPER float lod_of(float4 along_x, float4 along_y, WeftImageAt image, uint kind, uint sampler) {
  float4 size = 1.0f;
  if (WEFT_IS_NORMALIZED(sampler)) size.s0 = (float)(int)image->base.width;
  if (WEFT_IS_NORMALIZED(sampler) && has_rows(kind)) size.s1 = (float)(int)image->base.height;
  if (WEFT_IS_NORMALIZED(sampler) && has_slices(kind)) size.s2 = (float)(int)image->base.depth;
  const float4 x = along_x * size, y = along_y * size;
  float square_x = x.s0 * x.s0, square_y = y.s0 * y.s0;
  if (has_rows(kind)) square_x += x.s1 * x.s1, square_y += y.s1 * y.s1;
  if (has_slices(kind)) square_x += x.s2 * x.s2, square_y += y.s2 * y.s2;
  return 0.5f * native_log2(__builtin_elementwise_max(square_x, square_y));
}

#define SAME
#define FIRST(color) (color).s0

#define AT_LEVEL(F, result, suffix, type, kind, access, at, gradient, T, convert)                                     \
  WEFT_BUILTIN T F(access type image, sampler_t sampler, at where, float lod) {                                       \
    WeftImageAt from = __weft_descriptor_##suffix(image);                                                             \
    return convert(__weft_image_##result(from, level_for(from, lod), __weft_format(from),               \
                                         __weft_sampler_bits(sampler), kind, point_of(where)));                       \
  }                                                                                                                   \
  WEFT_BUILTIN T F(access type image, sampler_t sampler, at where, gradient along_x, gradient along_y) {              \
    WeftImageAt from = __weft_descriptor_##suffix(image);                                                             \
    const uint bits = __weft_sampler_bits(sampler);                                                                   \
    const float lod = lod_of(point_of(along_x), point_of(along_y), from, kind, bits);                                 \
    return convert(__weft_image_##result(from, level_for(from, lod), __weft_format(from), bits, kind,   \
                                         point_of(where)));                                                           \
  }
#define COLOR(suffix, type, kind, access, at, gradient)                                     \
  AT_LEVEL(read_imagef, sample_f, suffix, type, kind, access, at, gradient, float4, SAME)   \
  AT_LEVEL(read_imagei, sample_u, suffix, type, kind, access, at, gradient, int4, as_int4)  \
  AT_LEVEL(read_imageui, sample_u, suffix, type, kind, access, at, gradient, uint4, SAME)
COLOR(1d_read_only, image1d_t, WEFT_1D, read_only, float, float)
COLOR(1d_array_read_only, image1d_array_t, WEFT_1D_ARRAY, read_only, float2, float)
COLOR(2d_read_only, image2d_t, WEFT_2D, read_only, float2, float2)
COLOR(2d_array_read_only, image2d_array_t, WEFT_2D_ARRAY, read_only, float4, float2)
COLOR(3d_read_only, image3d_t, WEFT_3D, read_only, float4, float4)
AT_LEVEL(read_imagef, sample_f, 2d_depth_read_only, image2d_depth_t, WEFT_2D, read_only, float2, float2, float, FIRST)
AT_LEVEL(read_imagef, sample_f, 2d_array_depth_read_only, image2d_array_depth_t, WEFT_2D_ARRAY, read_only, float4, float2, float, FIRST)
