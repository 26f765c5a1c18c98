// clz, ctz and popcount (OpenCL C 3.0 §6.15.3). Clang has these intrinsics for scalars only, so a vector is
// made of its elements. clz(0) and ctz(0) are the width of the type.
#include "builtins.h"

#define SCALAR(T, U, S, bits)                                       \
  WEFT_BUILTIN T clz(T x) { return (T)__builtin_clzg((U)x, bits); } \
  WEFT_BUILTIN T ctz(T x) { return (T)__builtin_ctzg((U)x, bits); } \
  WEFT_BUILTIN T popcount(T x) { return (T)__builtin_popcountg((U)x); }

#define VECTOR(T, n)                                                     \
  WEFT_BUILTIN T##n clz(T##n x) { return (T##n)(WEFT_MAP_##n(clz, x)); } \
  WEFT_BUILTIN T##n ctz(T##n x) { return (T##n)(WEFT_MAP_##n(ctz, x)); } \
  WEFT_BUILTIN T##n popcount(T##n x) { return (T##n)(WEFT_MAP_##n(popcount, x)); }

#define VECTORS(T, U, S, bits) WEFT_VECTOR_WIDTHS(VECTOR, T)
WEFT_INTEGER_TYPES(SCALAR)
WEFT_INTEGER_TYPES(VECTORS)
