// Values of other work-items of a sub-group (cl_khr_subgroup_shuffle, _shuffle_relative, _rotate).
#include "sub_group.h"

WEFT_LANES uchar __weft_sub_group_shuffle_i8(uchar, uint);
WEFT_LANES ushort __weft_sub_group_shuffle_i16(ushort, uint);
WEFT_LANES uint __weft_sub_group_shuffle_i32(uint, uint);
WEFT_LANES ulong __weft_sub_group_shuffle_i64(ulong, uint);

WEFT_HELPER uint rotated(int delta) {
  const int size = (int)sub_group_items();
  const int step = delta % size;
  const int lane = (int)__weft_sub_group_lane() + (step < 0 ? step + size : step);
  return (uint)(lane >= size ? lane - size : lane);
}

#define SHUFFLE(T, U, S, bits)                                                                                          \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_shuffle(T x, uint lane) {                                        \
    return as_##T(__weft_sub_group_shuffle_i##bits(as_##U(x), lane));                                                   \
  }                                                                                                                     \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_shuffle_xor(T x, uint mask) {                                    \
    return sub_group_shuffle(x, __weft_sub_group_lane() ^ mask);                                                        \
  }                                                                                                                     \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_shuffle_up(T x, uint delta) {                                    \
    return sub_group_shuffle(x, __weft_sub_group_lane() - delta);                                                       \
  }                                                                                                                     \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_shuffle_down(T x, uint delta) {                                  \
    return sub_group_shuffle(x, __weft_sub_group_lane() + delta);                                                       \
  }                                                                                                                     \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_rotate(T x, int delta) {                                         \
    return sub_group_shuffle(x, rotated(delta));                                                                        \
  }                                                                                                                     \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_clustered_rotate(T x, int delta, uint size) {                    \
    const uint lane = __weft_sub_group_lane();                                                                          \
    return sub_group_shuffle(x, (lane & ~(size - 1)) | ((lane + (uint)delta) & (size - 1)));                            \
  }
WEFT_ALL_TYPES(SHUFFLE)
