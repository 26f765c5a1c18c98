// Loads and stores of half floats as float or double (OpenCL C 3.0 §6.15.7): vload_half, vloada_half,
// vstore_half and vstorea_half with their rounding modes. Needs the half type's vectors (cl_khr_fp16) in the
// library only, not in programs.
//
// Rounding to nearest even is the hardware's float-to-half conversion. A double first becomes a float rounded
// to odd: an inexact one has its last bit set, so that the second rounding sees on which side the value is,
// and float's 24 bits are more than half's 11 + 2.
#include "rounding.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define TO_ODD(T, n)                                                             \
  WEFT_HELPER float##n to_odd(float##n x) { return x; }                          \
  WEFT_HELPER float##n to_odd(double##n x) {                                     \
    const float##n near = WEFT_CONVERT(x, float, n);                             \
    const double##n back = WEFT_CONVERT(near, double, n);                        \
    const int##n toward_zero = WEFT_STEP_rtz(x, as_int##n(near), back, int, n);  \
    const int##n odd = toward_zero | (WEFT_MASK(back != x, int, n) & (int##n)1); \
    return as_float##n(odd);                                                     \
  }
WEFT_WIDTHS(TO_ODD, float)

#define TO_HALF(mode, n)                                                            \
  WEFT_HELPER short##n to_half_##mode(float##n x) {                                 \
    const half##n near = WEFT_CONVERT(x, half, n);                                  \
    const float##n back = WEFT_CONVERT(near, float, n);                             \
    const short##n bits = as_short##n(near);                                        \
    const short##n stepped = (short##n)(WEFT_STEP_##mode(x, bits, back, short, n)); \
    return stepped;                                                                 \
  }
WEFT_WIDTHS(TO_HALF, rte)
WEFT_WIDTHS(TO_HALF, rtz)
WEFT_WIDTHS(TO_HALF, rtp)
WEFT_WIDTHS(TO_HALF, rtn)

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
