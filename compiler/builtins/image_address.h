// Where samplers read: addressing modes, coordinates and texels' addresses (OpenCL C 3.0 §8.2).
//
// Coordinates are bounded as floats before they become integers, so that none of any size, nor NaN, is read from elsewhere.
#pragma once

#include "image_format.h"

#define WEFT_ADDRESSING(sampler) ((sampler) & 0xe)
#define WEFT_IS_NORMALIZED(sampler) (((sampler) & CLK_NORMALIZED_COORDS_TRUE) != 0)
#define WEFT_IS_LINEAR(sampler) (((sampler) & CLK_FILTER_LINEAR) != 0)

/// Of a sampler with borders, a coordinate outside is -1 or `size`. With CLK_ADDRESS_NONE the program has promised that there is
/// none outside; that costs it no more than the edge.
WEFT_HELPER bool has_border(uint sampler) { return WEFT_ADDRESSING(sampler) == CLK_ADDRESS_CLAMP; }

// The order of the operands makes the bound of NaN.
WEFT_HELPER float bounded_coordinate(float x, float low, float high) {
  const float raised = x > low ? x : low;
  return raised < high ? raised : high;
}

WEFT_HELPER int to_edge(int x, uint size) {
  return __builtin_elementwise_max(__builtin_elementwise_min(x, (int)size - 1), 0);
}


WEFT_HELPER float whole_texels(float x, float size, uint sampler) { return WEFT_IS_NORMALIZED(sampler) ? x * size : x; }

/// The unnormalized coordinate within one period, and beyond it up to a texel, of CLK_ADDRESS_REPEAT and
/// CLK_ADDRESS_MIRRORED_REPEAT; else as it is.
WEFT_HELPER float unwrapped(float x, uint size, uint sampler) {
  const float extent = (float)(int)size;
  switch (WEFT_ADDRESSING(sampler)) {
    case CLK_ADDRESS_REPEAT: return (x - __builtin_elementwise_floor(x)) * extent;
    case CLK_ADDRESS_MIRRORED_REPEAT:
      return __builtin_elementwise_abs(x - 2.0f * __builtin_elementwise_roundeven(0.5f * x)) * extent;
    default: return whole_texels(x, extent, sampler);
  }
}

/// The texel at `x`, where CLK_FILTER_NEAREST looks; with a border -1 or `size` outside.
WEFT_HELPER int nearest(float x, uint size, uint sampler) {
  const float extent = (float)(int)size;
  const float u = __builtin_elementwise_floor(unwrapped(x, size, sampler));
  switch (WEFT_ADDRESSING(sampler)) {
    case CLK_ADDRESS_REPEAT: {
      const int i = (int)bounded_coordinate(u, 0.0f, extent);
      return i < (int)size ? i : 0;
    }
    case CLK_ADDRESS_CLAMP: return (int)bounded_coordinate(u, -1.0f, extent);
    default: return (int)bounded_coordinate(u, 0.0f, extent - 1);
  }
}

struct Taps {
  int at;         ///< the texel on the lower side, wherever that is
  int low, high;  ///< the texels on both sides that are read
  float weight;   ///< of `high`
};

/// Where CLK_FILTER_LINEAR looks.
WEFT_HELPER struct Taps linear(float x, uint size, uint sampler) {
  const float extent = (float)(int)size;
  const float u = unwrapped(x, size, sampler) - 0.5f;
  const float whole = __builtin_elementwise_floor(u);
  struct Taps taps;
  taps.weight = u - whole;
  // Outside of a border lie both texels; where coordinates repeat, only NaN is below -1, and the texel after -1 is the first.
  const int i = (int)bounded_coordinate(whole, WEFT_ADDRESSING(sampler) == CLK_ADDRESS_REPEAT ? -1.0f : -2.0f, extent);
  taps.at = i;
  switch (WEFT_ADDRESSING(sampler)) {
    case CLK_ADDRESS_REPEAT:
      taps.low = i < 0 ? (int)size - 1 : i;
      taps.high = i + 1 < (int)size ? i + 1 : 0;
      break;
    case CLK_ADDRESS_CLAMP:
      taps.low = i;
      taps.high = i + 1;
      break;
    default:
      taps.low = to_edge(i, size);
      taps.high = to_edge(i + 1, size);
      break;
  }
  return taps;
}

/// A texel and its neighbour along x are read at once: they lie side by side, or at an edge are one.
WEFT_HELPER bool has_pairs(uint format, uint sampler) {
  const uint bytes = texel_bytes(format);
  return WEFT_SMALL(format) && WEFT_ADDRESSING(sampler) != CLK_ADDRESS_REPEAT &&
         (bytes == 4 || bytes == 2 || (bytes == 1 && WEFT_PADDED(format)));
}

WEFT_HELPER bool is_inside(int x, uint size) { return (uint)x < size; }

/// An array's layer: the nearest there is.
WEFT_HELPER int layer_of(int layer, WeftImageAt image) { return to_edge(layer, image->layers); }
WEFT_HELPER int layer_of(float layer, WeftImageAt image) {
  return (int)bounded_coordinate(__builtin_elementwise_roundeven(layer), 0.0f, (float)(int)(image->layers - 1));
}

// Where a texel lies. `z` is the slice or the layer. Coordinates are inside.
#define OFFSET(name, type)                                                                        \
  WEFT_HELPER type name(WeftLevelAt level, uint format, uint kind, int x, int y, int z) {         \
    type offset = (type)x * (type)texel_bytes(format);                                            \
    if (has_rows(kind)) offset += (type)y * (type)level->row_pitch;                               \
    if (has_slices(kind) || has_layers(kind)) offset += (type)z * (type)level->slice_pitch;       \
    return offset;                                                                                \
  }
OFFSET(small_offset, int)
OFFSET(large_offset, long)

#define ADDRESS(name, space)                                                                                      \
  WEFT_HELPER space uchar* name(space uchar* data, WeftLevelAt level, uint format, uint kind, int x, int y, int z) { \
    if (WEFT_SMALL(format)) return data + small_offset(level, format, kind, x, y, z);                             \
    return data + large_offset(level, format, kind, x, y, z);                                                     \
  }
ADDRESS(texel_address, const __constant)
ADDRESS(texel_address, __global)

WEFT_HELPER __global uchar* shared_data(WeftLevelAt level) {
  return *(__global uchar* const __constant*)(const __constant void*)&level->data;
}

/// The primitive by which code that counts knows of an image access: the texel's column and row, rows counted on from slice to slice,
/// and its bytes. Of a linear read, the lowest texel that has a weight.
void __weft_count_texel(uint column, uint row, uint bytes, uint is_write);
WEFT_HELPER void count_texel(WeftLevelAt level, uint format, uint kind, int x, int y, int z, uint is_write) {
  uint row = 0;
  if (has_slices(kind) || has_layers(kind)) row = (uint)__builtin_elementwise_max(z, 0) * level->height;
  if (has_rows(kind)) row += (uint)to_edge(y, level->height);
  __weft_count_texel((uint)to_edge(x, level->width), row, texel_bytes(format), is_write);
}
