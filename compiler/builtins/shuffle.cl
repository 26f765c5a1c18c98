// shuffle and shuffle2 (OpenCL C 3.0 §6.15.13): element i of the result is element mask[i] of the input,
// the mask taken modulo the number of elements.
//
// A tree of selects, one level for each bit of the mask: constant masks fold to a permutation of elements,
// and others need no vector in memory.
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
#define SHUFFLES_FROM(T, U, m, level) \
  SHUFFLE(T, U, m, level, 2) SHUFFLE(T, U, m, level, 4) SHUFFLE(T, U, m, level, 8) SHUFFLE(T, U, m, level, 16)
#define SHUFFLES(T, U, S, bits) \
  SHUFFLES_FROM(T, U, 2, 1) SHUFFLES_FROM(T, U, 4, 2) SHUFFLES_FROM(T, U, 8, 3) SHUFFLES_FROM(T, U, 16, 4)
WEFT_ALL_TYPES(SHUFFLES)
