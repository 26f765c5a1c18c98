// cl_intel_subgroups, _char, _short and _long. What the functions are to programs, Clang is told by frontend/extension_functions.cpp.
#include "image.h"
#include "sub_group.h"

#define SIZE __weft_sub_group_size()
#define CONVERGENT WEFT_BUILTIN __attribute__((convergent))
#define ELSEWHERE __attribute__((overloadable, convergent))

// ---- shuffles ----

#define SHUFFLE_ONE(T, U, S, bits) ELSEWHERE T sub_group_shuffle(T x, uint lane);
WEFT_ALL_TYPES(SHUFFLE_ONE)

/// Of two values side by side, that at `place` of both.
#define EITHER(T)                                                                                    \
  WEFT_HELPER __attribute__((convergent)) T either(T low, T high, uint place) {                      \
    const T from_low = sub_group_shuffle(low, place), from_high = sub_group_shuffle(high, place);    \
    return place < SIZE ? from_low : from_high;                                                      \
  }
#define SHUFFLE_EITHER(T, U, S, bits) EITHER(T)
WEFT_ALL_TYPES(SHUFFLE_EITHER)

#define FROM_LANE(x) sub_group_shuffle(x, lane)
#define FROM_EITHER_2 either(low.s0, high.s0, place), either(low.s1, high.s1, place)
#define FROM_EITHER_3 FROM_EITHER_2, either(low.s2, high.s2, place)
#define FROM_EITHER_4 FROM_EITHER_3, either(low.s3, high.s3, place)
#define FROM_EITHER_8                                                                                      \
  FROM_EITHER_4, either(low.s4, high.s4, place), either(low.s5, high.s5, place), either(low.s6, high.s6, place), \
      either(low.s7, high.s7, place)
#define FROM_EITHER_16                                                                                     \
  FROM_EITHER_8, either(low.s8, high.s8, place), either(low.s9, high.s9, place), either(low.sa, high.sa, place), \
      either(low.sb, high.sb, place), either(low.sc, high.sc, place), either(low.sd, high.sd, place),      \
      either(low.se, high.se, place), either(low.sf, high.sf, place)
#define SHUFFLE_VECTOR(T, n)                                                                                             \
  CONVERGENT T##n intel_sub_group_shuffle(T##n x, uint lane) { return (T##n)(WEFT_MAP_##n(FROM_LANE, x)); }              \
  WEFT_HELPER __attribute__((convergent)) T##n either(T##n low, T##n high, uint place) { return (T##n)(FROM_EITHER_##n); }

#define SHUFFLE_WAYS(T, n)                                                                                               \
  CONVERGENT T##n intel_sub_group_shuffle_xor(T##n x, uint mask) {                                                       \
    return intel_sub_group_shuffle(x, __weft_sub_group_lane() ^ mask);                                                   \
  }                                                                                                                      \
  CONVERGENT T##n intel_sub_group_shuffle_down(T##n current, T##n next, uint delta) {                                    \
    return either(current, next, __weft_sub_group_lane() + delta);                                                       \
  }                                                                                                                      \
  CONVERGENT T##n intel_sub_group_shuffle_up(T##n previous, T##n current, uint delta) {                                  \
    return either(previous, current, SIZE + __weft_sub_group_lane() - delta);                                            \
  }
#define SHUFFLES(T, U, S, bits)                                                                         \
  CONVERGENT T intel_sub_group_shuffle(T x, uint lane) { return sub_group_shuffle(x, lane); }           \
  WEFT_VECTOR_WIDTHS(SHUFFLE_VECTOR, T)                                                                 \
  WEFT_WIDTHS(SHUFFLE_WAYS, T)
WEFT_ALL_TYPES(SHUFFLES)

// ---- broadcasts, reductions and scans of char and short ----

#define BROADCAST(T, n)                              \
  ELSEWHERE T##n sub_group_broadcast(T##n x, uint lane); \
  CONVERGENT T##n intel_sub_group_broadcast(T##n x, uint lane) { return sub_group_broadcast(x, lane); }
#define SAME_AS(T, name) \
  ELSEWHERE T name(T x); \
  CONVERGENT T intel_##name(T x) { return name(x); }
#define SMALL(T)                                                                                          \
  WEFT_WIDTHS(BROADCAST, T)                                                                               \
  SAME_AS(T, sub_group_reduce_add) SAME_AS(T, sub_group_reduce_min) SAME_AS(T, sub_group_reduce_max)       \
  SAME_AS(T, sub_group_scan_exclusive_add) SAME_AS(T, sub_group_scan_exclusive_min)                        \
  SAME_AS(T, sub_group_scan_exclusive_max) SAME_AS(T, sub_group_scan_inclusive_add)                        \
  SAME_AS(T, sub_group_scan_inclusive_min) SAME_AS(T, sub_group_scan_inclusive_max)
SMALL(char)
SMALL(uchar)
SMALL(short)
SMALL(ushort)

// ---- blocks ----

#define WORDS_(f) f(0)
#define WORDS_2(f) f(0), f(1)
#define WORDS_4(f) f(0), f(1), f(2), f(3)
#define WORDS_8(f) WORDS_4(f), f(4), f(5), f(6), f(7)
#define WORDS_16(f) WORDS_8(f), f(8), f(9), f(10), f(11), f(12), f(13), f(14), f(15)

#define EACH_(f, v) f(0, v)
#define EACH_2(f, v) f(0, v.s0) f(1, v.s1)
#define EACH_4(f, v) EACH_2(f, v) f(2, v.s2) f(3, v.s3)
#define EACH_8(f, v) EACH_4(f, v) f(4, v.s4) f(5, v.s5) f(6, v.s6) f(7, v.s7)
#define EACH_16(f, v) EACH_8(f, v) f(8, v.s8) f(9, v.s9) f(10, v.sa) f(11, v.sb) f(12, v.sc) f(13, v.sd) f(14, v.se) f(15, v.sf)

// Of a buffer: an element of a work-item's is SIZE after the one before.
#define OF_BUFFER(i) p[__weft_sub_group_lane() + SIZE * i]
#define TO_BUFFER(i, x) OF_BUFFER(i) = x;
#define BUFFER_BLOCK(T, suffix, n)                                                                                    \
  CONVERGENT T##n intel_sub_group_block_read##suffix##n(const __global T* p) { return (T##n)(WORDS_##n(OF_BUFFER)); } \
  CONVERGENT void intel_sub_group_block_write##suffix##n(__global T* p, T##n x) { EACH_##n(TO_BUFFER, x) }

// Of an image: an element is a row below the one before, and all are bytes of texels, whatever these hold. Beyond an edge there is
// the texel at the edge.
#define OF_IMAGE(T, space, data)                                                                                          \
  WEFT_HELPER T of_image_##space##_##T(WeftImageAt image, int x, int y) {                                                 \
    const int width = (int)image->base.width, texel = (int)image->texel_bytes;                                            \
    const space uchar* row = data + clamp(y, 0, (int)image->base.height - 1) * image->base.row_pitch;                     \
    union { uchar bytes[sizeof(T)]; T whole; } element;                                                                   \
    if (x >= 0 && x + (int)sizeof(T) <= width * texel) {                                                                  \
      __builtin_memcpy(element.bytes, row + x, sizeof(T));                                                                \
    } else {                                                                                                              \
      for (uint i = 0; i < sizeof(T); ++i) {                                                                              \
        const int at = x + (int)i;                                                                                        \
        const int within = at & (texel - 1);                                                                              \
        element.bytes[i] = row[clamp(at - within, 0, (width - 1) * texel) + within];                                      \
      }                                                                                                                   \
    }                                                                                                                     \
    return element.whole;                                                                                                 \
  }
#define TO_IMAGE(T)                                                                                                       \
  WEFT_HELPER void to_image(WeftImageAt image, int x, int y, T element) {                                                 \
    if (x < 0 || x + (int)sizeof(T) > (int)(image->base.width * image->texel_bytes)) return;                              \
    if (y < 0 || y >= (int)image->base.height) return;                                                                    \
    __builtin_memcpy(shared_bytes(image) + y * image->base.row_pitch + x, &element, sizeof(T));                           \
  }
WEFT_HELPER __global uchar* shared_bytes(WeftImageAt image) {
  return *(__global uchar* const __constant*)(const __constant void*)&image->base.data;
}
#define IMAGE_ELEMENTS(T) \
  OF_IMAGE(T, __constant, image->base.data) OF_IMAGE(T, __global, shared_bytes(image)) TO_IMAGE(T)
IMAGE_ELEMENTS(uchar)
IMAGE_ELEMENTS(ushort)
IMAGE_ELEMENTS(uint)
IMAGE_ELEMENTS(ulong)

#define READ_IMAGE(T, suffix, n, access, space)                                                                 \
  CONVERGENT T##n intel_sub_group_block_read##suffix##n(access image2d_t image, int2 at) {                      \
    WeftImageAt from = __weft_descriptor_2d_##access(image);                                                    \
    const int x = at.x + (int)sizeof(T) * (int)__weft_sub_group_lane();                                         \
    return (T##n)(WORDS_##n(ROW_##space##_##T));                                                                \
  }
#define WRITE_IMAGE(T, suffix, n, access)                                                                       \
  CONVERGENT void intel_sub_group_block_write##suffix##n(access image2d_t image, int2 at, T##n data) {          \
    WeftImageAt to = __weft_descriptor_2d_##access(image);                                                      \
    const int x = at.x + (int)sizeof(T) * (int)__weft_sub_group_lane();                                         \
    EACH_##n(TO_ROW, data)                                                                                      \
  }
#define TO_ROW(i, element) to_image(to, x, at.y + i, element);
#define ROW___constant_uchar(i) of_image___constant_uchar(from, x, at.y + i)
#define ROW___constant_ushort(i) of_image___constant_ushort(from, x, at.y + i)
#define ROW___constant_uint(i) of_image___constant_uint(from, x, at.y + i)
#define ROW___constant_ulong(i) of_image___constant_ulong(from, x, at.y + i)
#define ROW___global_uchar(i) of_image___global_uchar(from, x, at.y + i)
#define ROW___global_ushort(i) of_image___global_ushort(from, x, at.y + i)
#define ROW___global_uint(i) of_image___global_uint(from, x, at.y + i)
#define ROW___global_ulong(i) of_image___global_ulong(from, x, at.y + i)
#define IMAGE_BLOCK(T, suffix, n)                                                                               \
  READ_IMAGE(T, suffix, n, read_only, __constant) READ_IMAGE(T, suffix, n, read_write, __global)                \
  WRITE_IMAGE(T, suffix, n, write_only) WRITE_IMAGE(T, suffix, n, read_write)

#define BLOCKS(T, suffix)                                                                                                        \
  BUFFER_BLOCK(T, suffix, ) BUFFER_BLOCK(T, suffix, 2) BUFFER_BLOCK(T, suffix, 4) BUFFER_BLOCK(T, suffix, 8)                      \
  IMAGE_BLOCK(T, suffix, ) IMAGE_BLOCK(T, suffix, 2) IMAGE_BLOCK(T, suffix, 4) IMAGE_BLOCK(T, suffix, 8)
BLOCKS(uint, )
BLOCKS(uint, _ui)
BLOCKS(uchar, _uc)
BUFFER_BLOCK(uchar, _uc, 16)
IMAGE_BLOCK(uchar, _uc, 16)
BLOCKS(ushort, _us)
BUFFER_BLOCK(ushort, _us, 16)
BLOCKS(ulong, _ul)
