// Coordinates of every type of image as vectors of four.
#pragma once

#include "image.h"

WEFT_HELPER int4 texel_of(int at) { return (int4)(at, 0, 0, 0); }
WEFT_HELPER int4 texel_of(int2 at) { return (int4)(at, 0, 0); }
WEFT_HELPER int4 texel_of(int4 at) { return at; }
WEFT_HELPER float4 point_of(float at) { return (float4)(at, 0, 0, 0); }
WEFT_HELPER float4 point_of(float2 at) { return (float4)(at, 0, 0); }
WEFT_HELPER float4 point_of(float4 at) { return at; }

/// M(suffix, type, kind, access, integer coordinates, float coordinates): types of colors, and those of depths.
#define WEFT_COLOR_IMAGES(M, access)                                      \
  M(1d_##access, image1d_t, WEFT_1D, access, int, float)                  \
  M(1d_array_##access, image1d_array_t, WEFT_1D_ARRAY, access, int2, float2) \
  M(2d_##access, image2d_t, WEFT_2D, access, int2, float2)                \
  M(2d_array_##access, image2d_array_t, WEFT_2D_ARRAY, access, int4, float4) \
  M(3d_##access, image3d_t, WEFT_3D, access, int4, float4)
#define WEFT_DEPTH_IMAGES(M, access)                                       \
  M(2d_depth_##access, image2d_depth_t, WEFT_2D, access, int2, float2)     \
  M(2d_array_depth_##access, image2d_array_depth_t, WEFT_2D_ARRAY, access, int4, float4)
#define WEFT_BUFFER_IMAGES(M, access) M(1d_buffer_##access, image1d_buffer_t, WEFT_BUFFER, access, int, float)
