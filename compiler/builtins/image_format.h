// Formats of images: the word that says which (compiler/argument_formats.h), sizes, and where channels lie.
#pragma once

#include "image.h"

#define WEFT_ORDER(format) (((format) & 0xff) + 0x10b0)
#define WEFT_TYPE(format) (((format) >> 8 & 0xff) + 0x10d0)
/// Offsets into the image fit 31 bits, its rows have two texels or more, and each is aligned to its size.
#define WEFT_SMALL(format) (((format) & 1u << 30) != 0)
/// Memory before and behind the image may be read.
#define WEFT_PADDED(format) (((format) & 1u << 29) != 0)

/// Channels of a texel in memory, of types that are not packed (OpenCL 3.0 API §5.3.1.1).
WEFT_HELPER uint channels_of(uint format) {
  switch (WEFT_ORDER(format)) {
    case CLK_RG: case CLK_RA: case CLK_RGx: return 2;
    case CLK_RGB: case CLK_sRGB: return 3;
    case CLK_RGBA: case CLK_BGRA: case CLK_ARGB: case CLK_ABGR: case CLK_RGBx:
    case CLK_sRGBx: case CLK_sRGBA: case CLK_sBGRA: return 4;
    default: return 1;
  }
}

WEFT_HELPER uint channel_bytes(uint format) {
  switch (WEFT_TYPE(format)) {
    case CLK_SNORM_INT8: case CLK_UNORM_INT8: case CLK_SIGNED_INT8: case CLK_UNSIGNED_INT8: return 1;
    case CLK_SNORM_INT16: case CLK_UNORM_INT16: case CLK_SIGNED_INT16: case CLK_UNSIGNED_INT16: case CLK_HALF_FLOAT: return 2;
    default: return 4;
  }
}

/// Bytes of a texel.
WEFT_HELPER uint texel_bytes(uint format) {
  switch (WEFT_TYPE(format)) {
    case CLK_UNORM_SHORT_565: case CLK_UNORM_SHORT_555: return 2;
    case CLK_UNORM_INT_101010: case CLK_UNORM_INT_101010_2: return 4;
    default: return channels_of(format) * channel_bytes(format);
  }
}

/// Orders with a channel that is 1 in every texel and 0 in the border.
WEFT_HELPER bool is_padded(uint format) {
  const uint order = WEFT_ORDER(format);
  return order == CLK_Rx || order == CLK_RGx || order == CLK_RGBx || order == CLK_sRGBx;
}

WEFT_HELPER bool is_srgb(uint format) {
  const uint order = WEFT_ORDER(format);
  return order == CLK_sRGB || order == CLK_sRGBx || order == CLK_sRGBA || order == CLK_sBGRA;
}

// From channels in memory's order to red, green, blue and alpha (OpenCL C 3.0 §6.15.15.6, table 18). Channels that a format
// lacks are 0, alpha 1; of padded orders it is the fourth channel, which says whether the texel is no border.
#define IN_COLOR_ORDER(T4)                                                            \
  WEFT_HELPER T4 in_color_order(T4 c, uint format) {                                  \
    switch (WEFT_ORDER(format)) {                                                     \
      case CLK_A: return (T4)(0, 0, 0, c.s0);                                         \
      case CLK_RG: return (T4)(c.s0, c.s1, 0, 1);                                     \
      case CLK_RA: return (T4)(c.s0, 0, 0, c.s1);                                     \
      case CLK_RGB: case CLK_sRGB: return (T4)(c.s0, c.s1, c.s2, 1);                  \
      case CLK_RGBA: case CLK_sRGBA: case CLK_RGBx: case CLK_sRGBx: return c;         \
      case CLK_BGRA: case CLK_sBGRA: return c.s2103;                                  \
      case CLK_ARGB: return c.s1230;                                                  \
      case CLK_ABGR: return c.s3210;                                                  \
      case CLK_INTENSITY: return c.s0000;                                             \
      case CLK_LUMINANCE: return (T4)(c.s0, c.s0, c.s0, 1);                           \
      case CLK_Rx: return (T4)(c.s0, 0, 0, c.s3);                                     \
      case CLK_RGx: return (T4)(c.s0, c.s1, 0, c.s3);                                 \
      default: return (T4)(c.s0, 0, 0, 1);                                            \
    }                                                                                 \
  }
IN_COLOR_ORDER(float4)
IN_COLOR_ORDER(uint4)

// And back, for writes.
#define IN_MEMORY_ORDER(T4)                                     \
  WEFT_HELPER T4 in_memory_order(T4 c, uint format) {           \
    switch (WEFT_ORDER(format)) {                               \
      case CLK_A: return c.s3333;                               \
      case CLK_RA: return c.s0333;                              \
      case CLK_BGRA: case CLK_sBGRA: return c.s2103;            \
      case CLK_ARGB: return c.s3012;                            \
      case CLK_ABGR: return c.s3210;                            \
      default: return c;                                        \
    }                                                           \
  }
IN_MEMORY_ORDER(float4)
IN_MEMORY_ORDER(int4)
IN_MEMORY_ORDER(uint4)
