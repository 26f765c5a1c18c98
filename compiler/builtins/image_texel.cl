// Texels: their words from and to memory, and their channels as numbers (OpenCL C 3.0 §6.15.15.1 and §8.3, conversion rules).
#include "image_format.h"

// ---- memory ------------------------------------------------------------------------------------------------------------------

// Accesses of whole words: a texel of four bytes is one of 32 bits. `half` and `word` are their types, aligned or not.
#define TEXEL_TYPES(prefix, alignment_2, alignment_4, alignment_8, alignment_16)  \
  typedef ushort __attribute__((aligned(alignment_2))) prefix##_half;             \
  typedef uint __attribute__((aligned(alignment_4))) prefix##_word;               \
  typedef uint __attribute__((ext_vector_type(2), aligned(alignment_8))) prefix##_word2; \
  typedef uint __attribute__((ext_vector_type(4), aligned(alignment_16))) prefix##_word4;
TEXEL_TYPES(aligned, 2, 4, 8, 16)
TEXEL_TYPES(packed, 1, 1, 1, 1)

#define LOAD(prefix, space)                                                               \
  WEFT_HELPER uint4 load_##prefix(const space uchar* at, uint format) {                   \
    switch (texel_bytes(format)) {                                                        \
      case 1: return (uint4)(*at, 0, 0, 0);                                               \
      case 2: return (uint4)(*(const space prefix##_half*)at, 0, 0, 0);                   \
      case 4: return (uint4)(*(const space prefix##_word*)at, 0, 0, 0);                   \
      case 8: return (uint4)(*(const space prefix##_word2*)at, 0, 0);                     \
      default: return *(const space prefix##_word4*)at;                                   \
    }                                                                                     \
  }
LOAD(aligned, __constant)
LOAD(packed, __constant)
LOAD(aligned, __global)
LOAD(packed, __global)

#define STORE(prefix)                                                                     \
  WEFT_HELPER void store_##prefix(__global uchar* at, uint format, uint4 words) {         \
    switch (texel_bytes(format)) {                                                        \
      case 1: *at = (uchar)words.s0; break;                                               \
      case 2: *(__global prefix##_half*)at = (ushort)words.s0; break;                     \
      case 4: *(__global prefix##_word*)at = words.s0; break;                             \
      case 8: *(__global prefix##_word2*)at = words.s01; break;                           \
      default: *(__global prefix##_word4*)at = words; break;                              \
    }                                                                                     \
  }
STORE(aligned)
STORE(packed)

uint4 __weft_image_load(const __constant uchar* at, uint format) {
  return WEFT_SMALL(format) ? load_aligned(at, format) : load_packed(at, format);
}
// One access: gathers cost by the element. Less aligned than it is wide, which tells strategy "neighbours" of a pair.
uint2 __weft_image_load_pair(const __constant uchar* at, uint format) {
  typedef uint __attribute__((aligned(2))) halves;
  typedef uint __attribute__((ext_vector_type(2), aligned(4))) words;
  switch (texel_bytes(format)) {
    case 1: {
      const uint bytes = *(const __constant packed_word*)at;
      return (uint2)(bytes & 0xff, bytes >> 8 & 0xff);
    }
    case 2: {
      const uint both = *(const __constant halves*)at;
      return (uint2)(both & 0xffff, both >> 16);
    }
    default: return *(const __constant words*)at;
  }
}
uint4 __weft_image_load_shared(const __global uchar* at, uint format) {
  return WEFT_SMALL(format) ? load_aligned(at, format) : load_packed(at, format);
}
void __weft_image_store(__global uchar* at, uint format, uint4 words) {
  if (WEFT_SMALL(format)) store_aligned(at, format, words);
  else store_packed(at, format, words);
}

// ---- channels ----------------------------------------------------------------------------------------------------------------

WEFT_HELPER uint4 bytes_of(uint4 words) { return words.s0000 >> (uint4)(0, 8, 16, 24) & 0xff; }
WEFT_HELPER uint4 halves_of(uint4 words) { return words.s0011 >> (uint4)(0, 16, 0, 16) & 0xffff; }
WEFT_HELPER int4 signed_bytes_of(uint4 words) { return as_int4(words.s0000 << (uint4)(24, 16, 8, 0)) >> 24; }
WEFT_HELPER int4 signed_halves_of(uint4 words) { return as_int4(words.s0011 << (uint4)(16, 0, 16, 0)) >> 16; }
/// A packed texel's channels, the bits of `masks` from `shifts` on.
WEFT_HELPER int4 fields_of(uint4 words, uint4 shifts, uint4 masks) { return as_int4(words.s0000 >> shifts & masks); }
WEFT_HELPER float4 floats(int4 c) { return __builtin_convertvector(c, float4); }
WEFT_HELPER int4 bounded(int4 c, int4 low, int4 high) {
  return __builtin_elementwise_min(__builtin_elementwise_max(c, low), high);
}
WEFT_HELPER uint4 of_bytes(uint4 c) { return (uint4)(c.s0 | c.s1 << 8 | c.s2 << 16 | c.s3 << 24, 0, 0, 0); }
WEFT_HELPER uint4 of_halves(uint4 c) { return (uint4)(c.s0 | c.s1 << 16, c.s2 | c.s3 << 16, 0, 0); }

static __constant float srgb_to_linear[256] = {
#include "image_srgb.inc"
};

float4 __weft_image_decode_f(uint4 words, uint format) {
  switch (WEFT_TYPE(format)) {
    case CLK_UNORM_INT8: {
      const uint4 c = bytes_of(words);
      if (!is_srgb(format)) return floats(as_int4(c));
      return (float4)(srgb_to_linear[c.s0], srgb_to_linear[c.s1], srgb_to_linear[c.s2], (float)(int)c.s3);
    }
    // The two smallest numbers are -1.
    case CLK_SNORM_INT8: return floats(__builtin_elementwise_max(signed_bytes_of(words), (int4)-127));
    case CLK_UNORM_INT16: return floats(as_int4(halves_of(words)));
    case CLK_SNORM_INT16: return floats(__builtin_elementwise_max(signed_halves_of(words), (int4)-32767));
    case CLK_UNORM_SHORT_565: return floats(fields_of(words, (uint4)(11, 5, 0, 0), (uint4)(31, 63, 31, 0)));
    case CLK_UNORM_SHORT_555: return floats(fields_of(words, (uint4)(10, 5, 0, 0), (uint4)(31, 31, 31, 0)));
    case CLK_UNORM_INT_101010: return floats(fields_of(words, (uint4)(20, 10, 0, 0), (uint4)(1023, 1023, 1023, 0)));
    case CLK_UNORM_INT_101010_2: return floats(fields_of(words, (uint4)(22, 12, 2, 0), (uint4)(1023, 1023, 1023, 3)));
    case CLK_HALF_FLOAT: return __builtin_convertvector(as_half4(words.s01), float4);
    default: return as_float4(words);
  }
}

/// What 1 / most has beyond `high`, a power of two.
#define REST(most, high) ((float)((1.0 - (most) * (high)) / (most)))

/// channels / most, rounded to nearest: `high` has so few bits that the first product is exact, `low` is the rest of 1 / most. By the product
/// with 1 / most rounded, some numbers would be a little too small, and programs that truncate `channel * most` would get the one before.
WEFT_HELPER float4 fractions(float4 channels, float4 high, float4 low) { return channels * high + channels * low; }

float4 __weft_image_scale(float4 channels, uint format) {
  switch (WEFT_TYPE(format)) {
    case CLK_UNORM_INT8:
      if (is_srgb(format)) return channels * (float4)(1, 1, 1, WEFT_ORDER(format) == CLK_sRGBx ? 1 : 1 / 255.0f);
      if (WEFT_ORDER(format) == CLK_RGBx) return channels * (float4)(1 / 255.0f, 1 / 255.0f, 1 / 255.0f, 1);
      return channels * (1 / 255.0f);
    case CLK_SNORM_INT8: return fractions(channels, 0x1p-7f, REST(127, 0x1p-7));
    case CLK_UNORM_INT16: return fractions(channels, 0x1p-16f, REST(65535, 0x1p-16));
    case CLK_SNORM_INT16: return fractions(channels, 0x1p-15f, REST(32767, 0x1p-15));
    case CLK_UNORM_SHORT_565:
      return fractions(channels, (float4)(0x1p-5f, 0x1p-6f, 0x1p-5f, 1), (float4)(REST(31, 0x1p-5), REST(63, 0x1p-6), REST(31, 0x1p-5), 0));
    case CLK_UNORM_SHORT_555: return fractions(channels, (float4)(0x1p-5f, 0x1p-5f, 0x1p-5f, 1), (float4)((float3)REST(31, 0x1p-5), 0));
    case CLK_UNORM_INT_101010:
      return fractions(channels, (float4)(0x1p-10f, 0x1p-10f, 0x1p-10f, 1), (float4)((float3)REST(1023, 0x1p-10), 0));
    case CLK_UNORM_INT_101010_2:
      return fractions(channels, (float4)((float3)0x1p-10f, 0x1p-2f), (float4)((float3)REST(1023, 0x1p-10), REST(3, 0x1p-2)));
    default: return channels;
  }
}

uint4 __weft_image_decode_u(uint4 words, uint format) {
  switch (WEFT_TYPE(format)) {
    case CLK_SIGNED_INT8: return as_uint4(signed_bytes_of(words));
    case CLK_UNSIGNED_INT8: return bytes_of(words);
    case CLK_SIGNED_INT16: return as_uint4(signed_halves_of(words));
    case CLK_UNSIGNED_INT16: return halves_of(words);
    default: return words;
  }
}

// ---- colors to texels --------------------------------------------------------------------------------------------------------

// A comparison that NaN fails leaves the bound: 0 where the bound is 0, as conversions with saturation give.
WEFT_HELPER float4 bounded(float4 x, float4 low, float4 high) {
  const float4 raised = x > low ? x : low;
  return raised < high ? raised : high;
}

/// `x`, of magnitude below 2^22, as an integer, rounded to nearest even: this sum has no bits below 1.
WEFT_HELPER uint4 rounded(float4 x) { return as_uint4(x + 12582912.0f) - 0x4b400000u; }

WEFT_HELPER uint4 unorm(float4 color, float4 most) { return rounded(bounded(color * most, 0.0f, most)); }
WEFT_HELPER uint4 snorm(float4 color, float most) {
  return rounded(bounded(color == color ? color * most : 0.0f, -most - 1, most));
}

/// 1.055 c^(1/2.4) - 0.055, or 12.92 c where that is small, of [0, 1]: a polynomial of c's fourth root, right to 0.003 / 255.
WEFT_HELPER float4 from_linear(float4 c) {
  const float4 z = __builtin_elementwise_sqrt(__builtin_elementwise_sqrt(c));
  const float4 root =
      -0.061629706f + z * (0.164974f + z * (1.244214f + z * (-0.55755565f + z * (0.27275224f + z * -0.06275899f))));
  return c <= 0.0031308f ? 12.92f * c : root;
}

uint4 __weft_image_encode_f(float4 color, uint format) {
  if (is_srgb(format)) {
    color.s012 = from_linear(bounded(color, 0.0f, 1.0f)).s012;
  }
  const float4 c = in_memory_order(color, format);
  switch (WEFT_TYPE(format)) {
    case CLK_UNORM_INT8: return of_bytes(unorm(c, 255.0f));
    case CLK_SNORM_INT8: return of_bytes(snorm(c, 127.0f) & 0xff);
    case CLK_UNORM_INT16: return of_halves(unorm(c, 65535.0f));
    case CLK_SNORM_INT16: return of_halves(snorm(c, 32767.0f) & 0xffff);
    case CLK_UNORM_SHORT_565: {
      const uint4 bits = unorm(c, (float4)(31, 63, 31, 0)) << (uint4)(11, 5, 0, 0);
      return (uint4)(bits.s0 | bits.s1 | bits.s2, 0, 0, 0);
    }
    case CLK_UNORM_SHORT_555: {
      const uint4 bits = unorm(c, (float4)(31, 31, 31, 0)) << (uint4)(10, 5, 0, 0);
      return (uint4)(bits.s0 | bits.s1 | bits.s2, 0, 0, 0);
    }
    case CLK_UNORM_INT_101010: {
      const uint4 bits = unorm(c, (float4)(1023, 1023, 1023, 0)) << (uint4)(20, 10, 0, 0);
      return (uint4)(bits.s0 | bits.s1 | bits.s2, 0, 0, 0);
    }
    case CLK_UNORM_INT_101010_2: {
      const uint4 bits = unorm(c, (float4)(1023, 1023, 1023, 3)) << (uint4)(22, 12, 2, 0);
      return (uint4)(bits.s0 | bits.s1 | bits.s2 | bits.s3, 0, 0, 0);
    }
    case CLK_HALF_FLOAT:
      return (uint4)(as_uint2(__builtin_convertvector(c, half4)), 0, 0);
    default: return as_uint4(c);
  }
}

uint4 __weft_image_encode_i(int4 color, uint format) {
  const int4 c = in_memory_order(color, format);
  switch (WEFT_TYPE(format)) {
    case CLK_SIGNED_INT8: return of_bytes(as_uint4(bounded(c, -128, 127)) & 0xff);
    case CLK_SIGNED_INT16: return of_halves(as_uint4(bounded(c, -32768, 32767)) & 0xffff);
    default: return as_uint4(c);
  }
}

uint4 __weft_image_encode_u(uint4 color, uint format) {
  const uint4 c = in_memory_order(color, format);
  switch (WEFT_TYPE(format)) {
    case CLK_UNSIGNED_INT8: return of_bytes(__builtin_elementwise_min(c, (uint4)255));
    case CLK_UNSIGNED_INT16: return of_halves(__builtin_elementwise_min(c, (uint4)65535));
    default: return c;
  }
}
