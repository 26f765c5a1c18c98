// Loads and stores of half floats as float or double (OpenCL C 3.0 §6.15.7): vload_half, vloada_half,
// vstore_half and vstorea_half with their rounding modes.
#include "half.h"

// vload_halfn: elements at index * n; vloada_halfn: aligned, a vector of 3 at index * 4.
#define LOAD(name, space, n, type_n, stride, elements)                        \
  WEFT_BUILTIN float##type_n name##n(size_t index, const space half* from) {  \
    half##type_n value;                                                       \
    __builtin_memcpy(&value, from + index * stride, elements * sizeof(half)); \
    return WEFT_CONVERT(value, float, type_n);                                \
  }
#define LOADS(space)                                                                        \
  LOAD(vload_half, space, , , 1, 1)                                                         \
  LOAD(vload_half, space, 2, 2, 2, 2) LOAD(vload_half, space, 3, 3, 3, 3)                   \
      LOAD(vload_half, space, 4, 4, 4, 4) LOAD(vload_half, space, 8, 8, 8, 8)               \
          LOAD(vload_half, space, 16, 16, 16, 16) LOAD(vloada_half, space, , , 1, 1)        \
              LOAD(vloada_half, space, 2, 2, 2, 2) LOAD(vloada_half, space, 3, 3, 4, 3)     \
                  LOAD(vloada_half, space, 4, 4, 4, 4) LOAD(vloada_half, space, 8, 8, 8, 8) \
                      LOAD(vloada_half, space, 16, 16, 16, 16)
LOADS(__private)
LOADS(__global)
LOADS(__local)
LOADS(__generic)
LOADS(__constant)

// Without a mode: to nearest even, the default of the device.
#define STORE(name, suffix, mode, T, space, n, type_n, stride, elements)             \
  WEFT_BUILTIN void name##n##suffix(T##type_n value, size_t index, space half* to) { \
    const short##type_n bits = to_half_##mode(to_odd(value));                        \
    __builtin_memcpy(to + index * stride, &bits, elements * sizeof(half));           \
  }
#define STORES_OF_MODE(suffix, mode, T, space)                                                \
  STORE(vstore_half, suffix, mode, T, space, , , 1, 1)                                        \
  STORE(vstore_half, suffix, mode, T, space, 2, 2, 2, 2)                                      \
      STORE(vstore_half, suffix, mode, T, space, 3, 3, 3, 3)                                  \
          STORE(vstore_half, suffix, mode, T, space, 4, 4, 4, 4)                              \
              STORE(vstore_half, suffix, mode, T, space, 8, 8, 8, 8)                          \
                  STORE(vstore_half, suffix, mode, T, space, 16, 16, 16, 16)                  \
                      STORE(vstorea_half, suffix, mode, T, space, , , 1, 1)                   \
                          STORE(vstorea_half, suffix, mode, T, space, 2, 2, 2, 2)             \
                              STORE(vstorea_half, suffix, mode, T, space, 3, 3, 4, 3)         \
                                  STORE(vstorea_half, suffix, mode, T, space, 4, 4, 4, 4)     \
                                      STORE(vstorea_half, suffix, mode, T, space, 8, 8, 8, 8) \
                                          STORE(vstorea_half, suffix, mode, T, space, 16, 16, 16, 16)
#define STORES(T, space)                                                  \
  STORES_OF_MODE(, rte, T, space)                                         \
  STORES_OF_MODE(_rte, rte, T, space) STORES_OF_MODE(_rtz, rtz, T, space) \
      STORES_OF_MODE(_rtp, rtp, T, space) STORES_OF_MODE(_rtn, rtn, T, space)
STORES(float, __private)
STORES(float, __global)
STORES(float, __local)
STORES(float, __generic)
STORES(double, __private)
STORES(double, __global)
STORES(double, __local)
STORES(double, __generic)
