// shuffle and shuffle2 (OpenCL C 3.0 §6.15.13): element i of the result is element mask[i] of the input,
// the mask taken modulo the number of elements.
//
// A tree of selects, one level for each bit of the mask: constant masks fold to a permutation of elements, and
// others need no vector in memory.
#include "builtins.h"

// Chooses among elements of x by the mask's bits; S##n: signed vector of the mask's size.
#define CHOOSE(T, S, n, b, low, high) ((as_##S##n(mask << (S##n)(sizeof(T) * 8 - 1 - b)) < (S##n)0) ? (high) : (low))

#define TREE_2(T, S, n, x, i0, i1) CHOOSE(T, S, n, 0, (T##n)x.s##i0, (T##n)x.s##i1)
#define TREE_4(T, S, n, x, i0, i1, i2, i3) \
  CHOOSE(T, S, n, 1, TREE_2(T, S, n, x, i0, i1), TREE_2(T, S, n, x, i2, i3))
#define TREE_8(T, S, n, x, i0, i1, i2, i3, i4, i5, i6, i7) \
  CHOOSE(T, S, n, 2, TREE_4(T, S, n, x, i0, i1, i2, i3), TREE_4(T, S, n, x, i4, i5, i6, i7))
#define TREE_16(T, S, n, x) \
  CHOOSE(T, S, n, 3, TREE_8(T, S, n, x, 0, 1, 2, 3, 4, 5, 6, 7), TREE_8(T, S, n, x, 8, 9, a, b, c, d, e, f))

#define FROM_2(T, S, n, x) TREE_2(T, S, n, x, 0, 1)
#define FROM_4(T, S, n, x) TREE_4(T, S, n, x, 0, 1, 2, 3)
#define FROM_8(T, S, n, x) TREE_8(T, S, n, x, 0, 1, 2, 3, 4, 5, 6, 7)
#define FROM_16(T, S, n, x) TREE_16(T, S, n, x)

// From an m-vector (log2 m = level) to an n-vector.
#define SHUFFLE(T, U, S, m, level, n)                                                                 \
  WEFT_BUILTIN T##n shuffle(T##m x, U##n mask) { return FROM_##m(T, S, n, x); }                       \
  WEFT_BUILTIN T##n shuffle2(T##m x, T##m y, U##n mask) {                                             \
    return CHOOSE(T, S, n, level, FROM_##m(T, S, n, x), FROM_##m(T, S, n, y));                        \
  }
#define SHUFFLES_FROM(T, U, S, m, level)                                \
  SHUFFLE(T, U, S, m, level, 2) SHUFFLE(T, U, S, m, level, 4)           \
  SHUFFLE(T, U, S, m, level, 8) SHUFFLE(T, U, S, m, level, 16)
#define SHUFFLES(T, U, S, bits)                                            \
  SHUFFLES_FROM(T, U, S, 2, 1) SHUFFLES_FROM(T, U, S, 4, 2)                \
  SHUFFLES_FROM(T, U, S, 8, 3) SHUFFLES_FROM(T, U, S, 16, 4)
WEFT_ALL_TYPES(SHUFFLES)
