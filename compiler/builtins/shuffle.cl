// shuffle and shuffle2 (OpenCL C 3.0 §6.15.13): element i of the result is element mask[i] of the input,
// the mask taken modulo the number of elements.
//
// From vectors to others of as many elements it is a primitive (simt/ir/component_permutes.h). Between others it is a tree of selects, one level
// for each bit of the mask: constant masks fold to a permutation of elements, and others need no vector in memory.
#include "builtins.h"

// Chooses by one bit of the mask (of type U##n).
#define CHOOSE(T, U, n, b, low, high) (((mask & (U##n)(U)(1 << b)) != (U##n)(U)0) ? (high) : (low))

#define TREE_2(T, U, n, x, i0, i1) CHOOSE(T, U, n, 0, (T##n)x.s##i0, (T##n)x.s##i1)
#define TREE_4(T, U, n, x, i0, i1, i2, i3) \
  CHOOSE(T, U, n, 1, TREE_2(T, U, n, x, i0, i1), TREE_2(T, U, n, x, i2, i3))
#define TREE_8(T, U, n, x, i0, i1, i2, i3, i4, i5, i6, i7) \
  CHOOSE(T, U, n, 2, TREE_4(T, U, n, x, i0, i1, i2, i3), TREE_4(T, U, n, x, i4, i5, i6, i7))
#define TREE_16(T, U, n, x) \
  CHOOSE(T, U, n, 3, TREE_8(T, U, n, x, 0, 1, 2, 3, 4, 5, 6, 7), TREE_8(T, U, n, x, 8, 9, a, b, c, d, e, f))

#define FROM_2(T, U, n, x) TREE_2(T, U, n, x, 0, 1)
#define FROM_4(T, U, n, x) TREE_4(T, U, n, x, 0, 1, 2, 3)
#define FROM_8(T, U, n, x) TREE_8(T, U, n, x, 0, 1, 2, 3, 4, 5, 6, 7)
#define FROM_16(T, U, n, x) TREE_16(T, U, n, x)

// From an m-vector (log2 m = level) to an n-vector.
#define SHUFFLE(T, U, m, level, n)                                              \
  WEFT_BUILTIN T##n shuffle(T##m x, U##n mask) { return FROM_##m(T, U, n, x); } \
  WEFT_BUILTIN T##n shuffle2(T##m x, T##m y, U##n mask) {                       \
    return CHOOSE(T, U, n, level, FROM_##m(T, U, n, x), FROM_##m(T, U, n, y));  \
  }
// To as many, in 64 bytes at most.
#define PERMUTE(T, U, n, level)                                                                      \
  __attribute__((const)) T##n __weft_permute_##T##n(T##n x, U##n mask);                              \
  WEFT_BUILTIN T##n shuffle(T##n x, U##n mask) { return __weft_permute_##T##n(x, mask); }            \
  WEFT_BUILTIN T##n shuffle2(T##n x, T##n y, U##n mask) {                                            \
    return CHOOSE(T, U, n, level, __weft_permute_##T##n(x, mask), __weft_permute_##T##n(y, mask));   \
  }
#define SHUFFLES(T, U, S, bits)                                                               \
  SHUFFLE(T, U, 2, 1, 2) SHUFFLE(T, U, 2, 1, 4) SHUFFLE(T, U, 2, 1, 8) SHUFFLE(T, U, 2, 1, 16)   \
  SHUFFLE(T, U, 4, 2, 2) PERMUTE(T, U, 4, 2) SHUFFLE(T, U, 4, 2, 8) SHUFFLE(T, U, 4, 2, 16)      \
  SHUFFLE(T, U, 8, 3, 2) SHUFFLE(T, U, 8, 3, 4) PERMUTE(T, U, 8, 3) SHUFFLE(T, U, 8, 3, 16)      \
  SHUFFLE(T, U, 16, 4, 2) SHUFFLE(T, U, 16, 4, 4) SHUFFLE(T, U, 16, 4, 8) SIXTEEN_##bits(T, U)
#define SIXTEEN_8(T, U) PERMUTE(T, U, 16, 4)
#define SIXTEEN_16(T, U) PERMUTE(T, U, 16, 4)
#define SIXTEEN_32(T, U) PERMUTE(T, U, 16, 4)
#define SIXTEEN_64(T, U) SHUFFLE(T, U, 16, 4, 16)
WEFT_ALL_TYPES(SHUFFLES)
