// vloadn and vstoren (OpenCL C 3.0 §6.15.7). A copy of exactly n elements becomes one IR load or store of an
// n-vector with the element's alignment, of three elements for n = 3; the warp compiler makes wide accesses
// and shuffles of it.
#include "builtins.h"

#define LOAD(T, space, n)                                         \
  WEFT_BUILTIN T##n vload##n(size_t index, const space T* from) { \
    T##n value;                                                   \
    __builtin_memcpy(&value, from + n * index, n * sizeof(T));    \
    return value;                                                 \
  }
#define STORE(T, space, n)                                             \
  WEFT_BUILTIN void vstore##n(T##n value, size_t index, space T* to) { \
    __builtin_memcpy(to + n * index, &value, n * sizeof(T));           \
  }

#define ACCESSES(T, U, S, bits)                                                   \
  WEFT_VECTOR_WIDTHS(LOAD, T, __private)                                          \
  WEFT_VECTOR_WIDTHS(STORE, T, __private) WEFT_VECTOR_WIDTHS(LOAD, T, __global)   \
      WEFT_VECTOR_WIDTHS(STORE, T, __global) WEFT_VECTOR_WIDTHS(LOAD, T, __local) \
          WEFT_VECTOR_WIDTHS(STORE, T, __local) WEFT_VECTOR_WIDTHS(LOAD, T, __generic) \
              WEFT_VECTOR_WIDTHS(STORE, T, __generic) WEFT_VECTOR_WIDTHS(LOAD, T, __constant)
WEFT_ALL_TYPES(ACCESSES)
