// Common functions (OpenCL C 3.0 §6.15.4). Comparisons are turned so that each min and max is one instruction
// of x86; a NaN operand gives either operand, as the specification leaves open.
#include "builtins.h"

#define COMPARED(T, n)                                                           \
  WEFT_BUILTIN T##n min(T##n x, T##n y) { return y < x ? y : x; }                \
  WEFT_BUILTIN T##n max(T##n x, T##n y) { return x < y ? y : x; }                \
  WEFT_BUILTIN T##n clamp(T##n x, T##n low, T##n high) {                         \
    const T##n raised = x < low ? low : x;                                       \
    return high < raised ? high : raised;                                        \
  }                                                                              \
  WEFT_BUILTIN T##n step(T##n edge, T##n x) { return x < edge ? (T##n)(T)0 : (T##n)(T)1; } \
  WEFT_BUILTIN T##n sign(T##n x) {                                               \
    /* Keeps the sign of zero; NaN gives 0. */                                   \
    const T##n unit = __builtin_elementwise_copysign((T##n)(T)1, x);             \
    const T##n number = x != x ? (T##n)(T)0 : unit;                              \
    return x == (T##n)(T)0 ? x : number;                                         \
  }
WEFT_WIDTHS(COMPARED, half)
WEFT_WIDTHS(COMPARED, float)
WEFT_WIDTHS(COMPARED, double)

#define COMPUTED(T, degrees_factor, radians_factor, n)                                             \
  WEFT_BUILTIN T##n degrees(T##n x) { return x * (T##n)(T)degrees_factor; }                        \
  WEFT_BUILTIN T##n radians(T##n x) { return x * (T##n)(T)radians_factor; }                        \
  WEFT_BUILTIN T##n mix(T##n x, T##n y, T##n a) { return weft_mad(y - x, a, x); }                  \
  WEFT_BUILTIN T##n smoothstep(T##n edge0, T##n edge1, T##n x) {                                   \
    const T##n t = (x - edge0) / (edge1 - edge0);                                                  \
    const T##n low = t < (T##n)(T)0 ? (T##n)(T)0 : t, cut = (T##n)(T)1 < low ? (T##n)(T)1 : low;   \
    return cut * cut * ((T##n)(T)3 - (T##n)(T)2 * cut);                                            \
  }
WEFT_WIDTHS(COMPUTED, float, 57.295779513082320876798154814105, 0.017453292519943295769236907684886)
WEFT_WIDTHS(COMPUTED, double, 57.295779513082320876798154814105, 0.017453292519943295769236907684886)

// Of half, in float and rounded once.
#define FLOATS(x, n) WEFT_CONVERT(x, float, n)
#define COMPUTED_HALF(T, n)                                                                        \
  WEFT_BUILTIN T##n degrees(T##n x) { return WEFT_CONVERT(degrees(FLOATS(x, n)), T, n); }          \
  WEFT_BUILTIN T##n radians(T##n x) { return WEFT_CONVERT(radians(FLOATS(x, n)), T, n); }          \
  WEFT_BUILTIN T##n mix(T##n x, T##n y, T##n a) {                                                  \
    return WEFT_CONVERT(mix(FLOATS(x, n), FLOATS(y, n), FLOATS(a, n)), T, n);                      \
  }                                                                                                \
  WEFT_BUILTIN T##n smoothstep(T##n edge0, T##n edge1, T##n x) {                                   \
    return WEFT_CONVERT(smoothstep(FLOATS(edge0, n), FLOATS(edge1, n), FLOATS(x, n)), T, n);       \
  }
WEFT_WIDTHS(COMPUTED_HALF, half)

// A vector with scalar bounds, edges or weight.
#define SCALAR_OPERAND(T, n)                                                                        \
  WEFT_BUILTIN T##n min(T##n x, T y) { return (T##n)y < x ? (T##n)y : x; }                          \
  WEFT_BUILTIN T##n max(T##n x, T y) { return x < (T##n)y ? (T##n)y : x; }                          \
  WEFT_BUILTIN T##n clamp(T##n x, T low, T high) {                                                  \
    const T##n raised = x < (T##n)low ? (T##n)low : x;                                              \
    return (T##n)high < raised ? (T##n)high : raised;                                               \
  }                                                                                                 \
  WEFT_BUILTIN T##n mix(T##n x, T##n y, T a) { return mix(x, y, (T##n)a); }                         \
  WEFT_BUILTIN T##n step(T edge, T##n x) { return x < (T##n)edge ? (T##n)(T)0 : (T##n)(T)1; }       \
  WEFT_BUILTIN T##n smoothstep(T edge0, T edge1, T##n x) { return smoothstep((T##n)edge0, (T##n)edge1, x); }
WEFT_VECTOR_WIDTHS(SCALAR_OPERAND, half)
WEFT_VECTOR_WIDTHS(SCALAR_OPERAND, float)
WEFT_VECTOR_WIDTHS(SCALAR_OPERAND, double)
