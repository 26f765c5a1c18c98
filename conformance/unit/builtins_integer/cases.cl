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

#define PREDICATE(f, T, R)                                                                                         \
  void f##_##T(ulong n, const __global T *x, __global int *r) {                                                    \
    for (ulong i = 0; i < n; ++i) r[i] = f(x[i]);                                                                  \
  }                                                                                                                \
  void f##_##T##_4(ulong n, const __global T *x, __global R *r) {                                                  \
    for (ulong i = 0; i < n / 4; ++i) vstore4(f(vload4(i, x)), i, r);                                              \
  }
#define RELATION(f, T, R)                                                                                          \
  void f##_##T(ulong n, const __global T *x, const __global T *y, __global int *r) {                               \
    for (ulong i = 0; i < n; ++i) r[i] = f(x[i], y[i]);                                                            \
  }                                                                                                                \
  void f##_##T##_4(ulong n, const __global T *x, const __global T *y, __global R *r) {                             \
    for (ulong i = 0; i < n / 4; ++i) vstore4(f(vload4(i, x), vload4(i, y)), i, r);                                \
  }
WEFT_TEST_PREDICATES(PREDICATE, float, int)
WEFT_TEST_PREDICATES(PREDICATE, double, long)
WEFT_TEST_RELATIONS(RELATION, float, int)
WEFT_TEST_RELATIONS(RELATION, double, long)
#define COMMON(T)                  \
  WEFT_TEST_COMMON_UNARY(UNARY, T) \
  WEFT_TEST_COMMON_BINARY(BINARY, T) WEFT_TEST_COMMON_TERNARY(TERNARY, T)
COMMON(float)
COMMON(double)

// Results of one vector pair: length, distance, dot, then normalize and cross.
#define GEOMETRIC(T, n)                                                               \
  void geometric_##T##_##n(const __global T *x, const __global T *y, __global T *r) { \
    const T##n p = vload##n(0, x), q = vload##n(0, y);                                \
    r[0] = length(p);                                                                 \
    r[1] = distance(p, q);                                                            \
    r[2] = dot(p, q);                                                                 \
    vstore##n(normalize(p), 0, r + 3);                                                \
  }
GEOMETRIC(float, 2)
GEOMETRIC(float, 3)
GEOMETRIC(float, 4)
GEOMETRIC(double, 2)
GEOMETRIC(double, 3)
GEOMETRIC(double, 4)
void cross_float(const __global float *x, const __global float *y, __global float *r) {
  vstore3(cross(vload3(0, x), vload3(0, y)), 0, r);
}

void any_all(ulong n, const __global char *x, __global int *r) {
  for (ulong i = 0; i < n; ++i) {
    r[4 * i] = any(vload3(i, x));
    r[4 * i + 1] = all(vload3(i, x));
    r[4 * i + 2] = any(x[3 * i]);
    r[4 * i + 3] = all(convert_long2(vload2(0, x + 3 * i)));
  }
}
void select_signs(ulong n, const __global long *c, __global double *r) {
  for (ulong i = 0; i < n / 2; ++i) vstore2(select((double2)1, (double2)2, vload2(i, c)), i, r);
}
void select_scalars(ulong n, const __global long *c, __global double *r) {
  for (ulong i = 0; i < n; ++i) r[i] = select(1.0, 2.0, c[i]);
}

// One lane's view of the atomics: returned values and memory after each.
void atomics(__global int *p, __global int *r) {
  __global uint *u = (__global uint *)p;
  int i = 0;
#define SEEN(call) r[i++] = (int)(call), r[i++] = *p;
  SEEN(atomic_add(p, 5))
  SEEN(atomic_sub(p, 9))
  SEEN(atomic_inc(p))
  SEEN(atomic_dec(p))
  SEEN(atomic_max(u, 7u))
  SEEN(atomic_min(u, 7u))
  SEEN(atomic_max(p, -1))
  SEEN(atomic_min(p, -3))
  SEEN(atomic_and(p, 0xff))
  SEEN(atomic_or(p, 0x100))
  SEEN(atomic_xor(p, 0x0f0))
  SEEN(atomic_xchg(p, 21))
  SEEN(atomic_cmpxchg(p, 20, 22))
  SEEN(atomic_cmpxchg(p, 21, 23))
  __global atomic_int *a = (__global atomic_int *)p;
  int expected = 23;
  SEEN(atomic_compare_exchange_strong(a, &expected, 40))
  SEEN(atomic_compare_exchange_strong(a, &expected, 41))
  SEEN(expected)
  SEEN(atomic_fetch_sub_explicit(a, 50, memory_order_relaxed, memory_scope_device))
  SEEN(atomic_load_explicit(a, memory_order_acquire))
  atomic_store_explicit(a, 3, memory_order_release);
  SEEN(atomic_exchange(a, 4))
  atomic_init(a, 0);
  SEEN(atomic_flag_test_and_set((__global atomic_flag *)a))
  SEEN(atomic_flag_test_and_set((__global atomic_flag *)a))
}
