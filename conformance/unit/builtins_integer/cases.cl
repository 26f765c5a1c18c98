// Loops over the builtins of cases.h, compiled as programs are, linked with the library and then compiled for the host.
#include "cases.h"

#define CONVERT(S, D, suffix)                                                                                      \
  void convert_##S##_to_##D##suffix(ulong n, const __global S *x, __global D *r) {                                 \
    for (ulong i = 0; i < n; ++i) r[i] = convert_##D##suffix(x[i]);                                                \
  }                                                                                                                \
  void convert_##S##_to_##D##suffix##_4(ulong n, const __global S *x, __global D *r) {                             \
    for (ulong i = 0; i < n / 4; ++i) vstore4(convert_##D##4##suffix(vload4(i, x)), i, r);                         \
  }
#define CONVERT_INTEGER(S, D) WEFT_TEST_MODES(CONVERT, S, D, ) WEFT_TEST_MODES(CONVERT, S, D, _sat)
#define CONVERT_FLOAT(S, D) WEFT_TEST_MODES(CONVERT, S, D, )
WEFT_TEST_TO_INTEGER(CONVERT_INTEGER)
WEFT_TEST_TO_FLOAT(CONVERT_FLOAT)

#define UNARY(f, R, T)                                                                                             \
  void f##_##T(ulong n, const __global T *x, __global R *r) {                                                      \
    for (ulong i = 0; i < n; ++i) r[i] = f(x[i]);                                                                  \
  }                                                                                                                \
  void f##_##T##_4(ulong n, const __global T *x, __global R *r) {                                                  \
    for (ulong i = 0; i < n / 4; ++i) vstore4(f(vload4(i, x)), i, r);                                              \
  }
#define BINARY(f, R, T)                                                                                            \
  void f##_##T(ulong n, const __global T *x, const __global T *y, __global R *r) {                                 \
    for (ulong i = 0; i < n; ++i) r[i] = f(x[i], y[i]);                                                            \
  }                                                                                                                \
  void f##_##T##_4(ulong n, const __global T *x, const __global T *y, __global R *r) {                             \
    for (ulong i = 0; i < n / 4; ++i) vstore4(f(vload4(i, x), vload4(i, y)), i, r);                                \
  }
#define TERNARY(f, R, T)                                                                                           \
  void f##_##T(ulong n, const __global T *x, const __global T *y, const __global T *z, __global R *r) {            \
    for (ulong i = 0; i < n; ++i) r[i] = f(x[i], y[i], z[i]);                                                      \
  }                                                                                                                \
  void f##_##T##_4(ulong n, const __global T *x, const __global T *y, const __global T *z, __global R *r) {        \
    for (ulong i = 0; i < n / 4; ++i) vstore4(f(vload4(i, x), vload4(i, y), vload4(i, z)), i, r);                  \
  }
#define INTEGER(T, U) WEFT_TEST_UNARY(UNARY, T, U) WEFT_TEST_BINARY(BINARY, T, U) WEFT_TEST_TERNARY(TERNARY, T, U)
WEFT_TEST_INTEGER_TYPES(INTEGER)

void load_half(ulong n, const __global half *x, __global float *r) {
  for (ulong i = 0; i < n; ++i) r[i] = vload_half(i, x);
}
void load_half_4(ulong n, const __global half *x, __global float *r) {
  for (ulong i = 0; i < n / 4; ++i) vstore4(vload_half4(i, x), i, r);
}
#define STORE_HALF(T, suffix)                                                                                      \
  void store_half_##T##suffix(ulong n, const __global T *x, __global half *r) {                                    \
    for (ulong i = 0; i < n; ++i) vstore_half##suffix(x[i], i, r);                                                 \
  }                                                                                                                \
  void store_half_##T##suffix##_4(ulong n, const __global T *x, __global half *r) {                                \
    for (ulong i = 0; i < n / 4; ++i) vstore_half4##suffix(vload4(i, x), i, r);                                    \
  }
WEFT_TEST_HALF_STORES(STORE_HALF)

// Shapes of vector memory accesses: 3-vectors packed and, for vloada_half3, at multiples of 4.
void copy_3(ulong n, const __global float *x, __global float *r) {
  for (ulong i = 0; i < n; ++i) vstore3(vload3(i, x), i, r);
}
void widen_half_3(ulong n, const __global half *x, __global float *r) {
  for (ulong i = 0; i < n; ++i) vstore3(vloada_half3(i, x), i, r);
}
void narrow_half_3(ulong n, const __global float *x, __global half *r) {
  for (ulong i = 0; i < n; ++i) vstorea_half3(vload3(i, x), i, r);
}
void shuffle_8(ulong n, const __global ushort *x, const __global ushort *mask, __global ushort *r) {
  for (ulong i = 0; i < n; ++i) vstore8(shuffle(vload4(i, x), vload8(i, mask)), i, r);
}
void shuffle2_16(ulong n, const __global float *x, const __global uint *mask, __global float *r) {
  for (ulong i = 0; i < n; ++i) vstore16(shuffle2(vload8(2 * i, x), vload8(2 * i + 1, x), vload16(i, mask)), i, r);
}
