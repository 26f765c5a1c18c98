// Reads of images through samplers: nearest and linear, in one to three dimensions (OpenCL C 3.0 §8.2).
#include "image_address.h"

/// A place in a level: a texel outside stands for the border, where the sampler has one.
struct Place {
  int x, y, z;
  bool is_inside;
};

WEFT_HELPER struct Place place_at(WeftLevelAt level, uint sampler, uint kind, int x, int y, int z) {
  struct Place place = {x, y, z, true};
  if (!has_border(sampler)) return place;
  place.is_inside = is_inside(x, level->width);
  place.x = to_edge(x, level->width);
  if (has_rows(kind)) {
    place.is_inside &= is_inside(y, level->height);
    place.y = to_edge(y, level->height);
  }
  if (has_slices(kind)) {
    place.is_inside &= is_inside(z, level->depth);
    place.z = to_edge(z, level->depth);
  }
  return place;
}

/// The texel at a place; of the border all words are 0.
WEFT_HELPER uint4 words_at(WeftLevelAt level, uint format, uint sampler, uint kind, struct Place at) {
  const uint4 words = __weft_image_load(texel_address(level->data, level, format, kind, at.x, at.y, at.z), format);
  if (!has_border(sampler)) return words;
  // As many words as there are: their channels stay beside each other then.
  if (texel_bytes(format) == 8) return (uint4)(at.is_inside ? words.s01 : 0, 0, 0);
  return at.is_inside ? words : 0;
}

// A function of its own: linear reads have up to eight.
WEFT_IMAGE_FUNCTION float4 __weft_image_tap(WeftLevelAt level, uint format, uint sampler, uint kind, int x, int y, int z);
float4 __weft_image_tap(WeftLevelAt level, uint format, uint sampler, uint kind, int x, int y, int z) {
  const struct Place at = place_at(level, sampler, kind, x, y, z);
  float4 channels = __weft_image_decode_f(words_at(level, format, sampler, kind, at), format);
  if (is_padded(format)) channels.s3 = has_border(sampler) && !at.is_inside ? 0.0f : 1.0f;
  return channels;
}

WEFT_HELPER float4 color_f(float4 channels, uint format) { return in_color_order(__weft_image_scale(channels, format), format); }

WEFT_HELPER uint4 color_u(WeftLevelAt level, uint format, uint sampler, uint kind, struct Place at) {
  return in_color_order(__weft_image_decode_u(words_at(level, format, sampler, kind, at), format), format);
}

// ---- at whole texels ---------------------------------------------------------------------------------------------------------

WEFT_HELPER struct Place whole_place(WeftImageAt image, uint sampler, uint kind, int4 at) {
  WeftLevelAt level = &image->base;
  const bool edge = !has_border(sampler);
  struct Place place = {edge ? to_edge(at.x, level->width) : at.x, 0, 0, true};
  if (has_rows(kind)) place.y = edge ? to_edge(at.y, level->height) : at.y;
  if (has_slices(kind)) place.z = edge ? to_edge(at.z, level->depth) : at.z;
  if (has_layers(kind)) place.z = layer_of(kind == WEFT_1D_ARRAY ? at.y : at.z, image);
  return place;
}

float4 __weft_image_read_f_at(WeftImageAt image, uint format, uint sampler, uint kind, int4 at) {
  const struct Place place = whole_place(image, sampler, kind, at);
  count_texel(&image->base, format, kind, place.x, place.y, place.z, 0);
  return color_f(__weft_image_tap(&image->base, format, sampler, kind, place.x, place.y, place.z), format);
}

uint4 __weft_image_read_u_at(WeftImageAt image, uint format, uint sampler, uint kind, int4 at) {
  const struct Place place = whole_place(image, sampler, kind, at);
  count_texel(&image->base, format, kind, place.x, place.y, place.z, 0);
  return color_u(&image->base, format, sampler, kind, place_at(&image->base, sampler, kind, place.x, place.y, place.z));
}

// ---- at coordinates ----------------------------------------------------------------------------------------------------------

WEFT_HELPER int layer_at(WeftImageAt image, uint kind, float4 at) {
  return has_layers(kind) ? layer_of(kind == WEFT_1D_ARRAY ? at.y : at.z, image) : 0;
}

WEFT_HELPER struct Place nearest_place(WeftImageAt image, WeftLevelAt level, uint sampler, uint kind, float4 at) {
  struct Place place = {nearest(at.x, level->width, sampler), 0, layer_at(image, kind, at), true};
  if (has_rows(kind)) place.y = nearest(at.y, level->height, sampler);
  if (has_slices(kind)) place.z = nearest(at.z, level->depth, sampler);
  return place;
}

/// The channels of two neighbours along x.
struct Neighbours {
  float4 low, high;
};

WEFT_HELPER float4 channels_of_word(uint word, bool is_inside, uint format, uint sampler) {
  float4 channels = __weft_image_decode_f((uint4)(has_border(sampler) && !is_inside ? 0 : word, 0, 0, 0), format);
  if (is_padded(format)) channels.s3 = has_border(sampler) && !is_inside ? 0.0f : 1.0f;
  return channels;
}

WEFT_HELPER struct Neighbours row_taps(WeftLevelAt level, uint format, uint sampler, uint kind, struct Taps x, int y, int z) {
  struct Neighbours row;
  if (!has_pairs(format, sampler)) {
    row.low = __weft_image_tap(level, format, sampler, kind, x.low, y, z);
    row.high = __weft_image_tap(level, format, sampler, kind, x.high, y, z);
    return row;
  }
  // The pair's first is the texel on the lower side; behind the last of a row lies memory that may be read, or else the pair begins one before.
  // Of a mipmap's level of one texel a row, the second word lies behind the row and is not used.
  const int most = (int)level->width - (WEFT_PADDED(format) ? 1 : 2);
  const int first = __builtin_elementwise_max(__builtin_elementwise_min(x.at, most), 0);
  const struct Place place = place_at(level, sampler, kind, first, y, z);
  const uint2 words = __weft_image_load_pair(texel_address(level->data, level, format, kind, first, place.y, place.z), format);
  const bool low_inside = place.is_inside & is_inside(x.at, level->width);
  const bool high_inside = place.is_inside & is_inside(x.at + 1, level->width);
  row.low = channels_of_word(WEFT_PADDED(format) || x.low == first ? words.s0 : words.s1, low_inside, format, sampler);
  // Both are one texel at an edge, behind which the other is not read: at < 0 or at > width - 2, in one sign, which vectors are chosen by.
  const bool is_one = WEFT_PADDED(format) ? (x.at | ((int)level->width - 2 - x.at)) < 0 : x.high == first;
  row.high = channels_of_word(is_one ? words.s0 : words.s1, high_inside, format, sampler);
  return row;
}

WEFT_IMAGE_FUNCTION float4 __weft_image_linear_f(WeftImageAt image, WeftLevelAt level, uint format, uint sampler, uint kind, float4 at);
float4 __weft_image_linear_f(WeftImageAt image, WeftLevelAt level, uint format, uint sampler, uint kind, float4 at) {
  const struct Taps x = linear(at.x, level->width, sampler);
  const int layer = layer_at(image, kind, at);
#define ROW(j, k) row_taps(level, format, sampler, kind, x, j, k)
  const float x1 = x.weight, x0 = 1.0f - x1;
  if (!has_rows(kind)) {
    count_texel(level, format, kind, x.low, 0, layer, 0);
    const struct Neighbours a = ROW(0, layer);
    return color_f(x0 * a.low + x1 * a.high, format);
  }
  const struct Taps y = linear(at.y, level->height, sampler);
  const float y1 = y.weight, y0 = 1.0f - y1;
#define PLANE(sum, k)                                                  \
  const struct Neighbours sum##_a = ROW(y.low, k), sum##_b = ROW(y.high, k); \
  const float4 sum = (x0 * y0) * sum##_a.low + (x1 * y0) * sum##_a.high + (x0 * y1) * sum##_b.low + (x1 * y1) * sum##_b.high;
  if (!has_slices(kind)) {
    count_texel(level, format, kind, x.low, y.low, layer, 0);
    PLANE(sum, layer)
    return color_f(sum, format);
  }
  const struct Taps z = linear(at.z, level->depth, sampler);
  count_texel(level, format, kind, x.low, y.low, z.low, 0);
  PLANE(front, z.low)
  PLANE(back, z.high)
  return color_f((1.0f - z.weight) * front + z.weight * back, format);
}

// Work-items side by side along x (../simt/ir/lane_rows.h).
WEFT_LANES bool __weft_row_fits(int low, int high, int count, float y, float z);
WEFT_LANES int __weft_row_first(int low, int high, int count);
WEFT_PRIMITIVE int __weft_row_lane(void);
WEFT_LANES float __weft_row_take(float value, int lane);
WEFT_LANES bool __weft_row_any(bool holds);
/// On a sampler's bits: whether rows may read together (../simt/item/row_reads.h).
#define WEFT_BY_ROWS 0x10000u

WEFT_HELPER __attribute__((convergent)) float4 row_take(float4 values, int lane) {
  return (float4)(__weft_row_take(values.s0, lane), __weft_row_take(values.s1, lane), __weft_row_take(values.s2, lane), __weft_row_take(values.s3, lane));
}

// Of slices, where a row of work-items differs in x alone: each blends the four texels of one column, whose weights all have alike, and takes two
// of these sums from its neighbours.
WEFT_IMAGE_FUNCTION __attribute__((convergent)) float4 __weft_image_linear_row_f(WeftImageAt image, WeftLevelAt level, uint format, uint sampler, uint kind, float4 at);
float4 __weft_image_linear_row_f(WeftImageAt image, WeftLevelAt level, uint format, uint sampler, uint kind, float4 at) {
  const struct Taps x = linear(at.x, level->width, sampler);
  const int width = (int)level->width;
  if (!__weft_row_fits(x.low, x.high, width, at.y, at.z)) return __weft_image_linear_f(image, level, format, sampler, kind, at);
  const struct Taps y = linear(at.y, level->height, sampler), z = linear(at.z, level->depth, sampler);
  const int first = __weft_row_first(x.low, x.high, width), column = first + __weft_row_lane();
#define TAP(j, k) __weft_image_tap(level, format, sampler, kind, column, j, k)
  const float x1 = x.weight, y1 = y.weight, y0 = 1.0f - y1;
  float4 sum = y0 * TAP(y.low, z.low) + y1 * TAP(y.high, z.low);
  // In the middle of a slice, where rays that go by slices read, the next one weighs nothing.
  if (__weft_row_any(z.weight != 0.0f)) sum = (1.0f - z.weight) * sum + z.weight * (y0 * TAP(y.low, z.high) + y1 * TAP(y.high, z.high));
  return color_f((1.0f - x1) * row_take(sum, x.low - first) + x1 * row_take(sum, x.high - first), format);
}

float4 __weft_image_sample_f(WeftImageAt image, WeftLevelAt level, uint format, uint sampler, uint kind, float4 at) {
  if (!WEFT_IS_LINEAR(sampler)) {
    const struct Place place = nearest_place(image, level, sampler, kind, at);
    count_texel(level, format, kind, place.x, place.y, place.z, 0);
    return color_f(__weft_image_tap(level, format, sampler, kind, place.x, place.y, place.z), format);
  }
  if (has_slices(kind) && (sampler & WEFT_BY_ROWS)) return __weft_image_linear_row_f(image, level, format, sampler & ~WEFT_BY_ROWS, kind, at);
  return __weft_image_linear_f(image, level, format, sampler, kind, at);
}

uint4 __weft_image_sample_u(WeftImageAt image, WeftLevelAt level, uint format, uint sampler, uint kind, float4 at) {
  const struct Place place = nearest_place(image, level, sampler, kind, at);
  count_texel(level, format, kind, place.x, place.y, place.z, 0);
  return color_u(level, format, sampler, kind, place_at(level, sampler, kind, place.x, place.y, place.z));
}
