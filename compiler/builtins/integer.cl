// Integer functions of OpenCL C 3.0 §6.15.3 that are the same expression for scalars and vectors.
#include "builtins.h"

// Clang promotes narrow scalars before the intrinsic sees them, and their minimum would be one of 32 bits: these forms LLVM turns back into it.
#define NARROW_EXTREMES(T)                                     \
  WEFT_HELPER T greater_of(T x, T y) { return x < y ? y : x; } \
  WEFT_HELPER T lesser_of(T x, T y) { return y < x ? y : x; }
#define EXTREMES(T, n)                                                                    \
  WEFT_HELPER T##n greater_of(T##n x, T##n y) { return __builtin_elementwise_max(x, y); } \
  WEFT_HELPER T##n lesser_of(T##n x, T##n y) { return __builtin_elementwise_min(x, y); }
NARROW_EXTREMES(char)
NARROW_EXTREMES(uchar)
NARROW_EXTREMES(short)
NARROW_EXTREMES(ushort)
WEFT_VECTOR_WIDTHS(EXTREMES, char)
WEFT_VECTOR_WIDTHS(EXTREMES, uchar)
WEFT_VECTOR_WIDTHS(EXTREMES, short)
WEFT_VECTOR_WIDTHS(EXTREMES, ushort)
WEFT_WIDTHS(EXTREMES, int)
WEFT_WIDTHS(EXTREMES, uint)
WEFT_WIDTHS(EXTREMES, long)
WEFT_WIDTHS(EXTREMES, ulong)

// All integer types and widths. T: the type, U: the unsigned type of its size.
#define SIMPLE(T, U, n)                                                                                  \
  WEFT_BUILTIN T##n hadd(T##n x, T##n y) { return (x & y) + ((x ^ y) >> (T)1); }                         \
  WEFT_BUILTIN T##n rhadd(T##n x, T##n y) { return (x | y) - ((x ^ y) >> (T)1); }                        \
  WEFT_BUILTIN T##n max(T##n x, T##n y) { return greater_of(x, y); }                                     \
  WEFT_BUILTIN T##n min(T##n x, T##n y) { return lesser_of(x, y); }                                      \
  WEFT_BUILTIN T##n clamp(T##n x, T##n low, T##n high) {                                                 \
    return lesser_of(greater_of(x, low), high);                                                          \
  }                                                                                                      \
  WEFT_BUILTIN U##n abs_diff(T##n x, T##n y) {                                                           \
    /* Through variables: a scalar expression of a narrow type has been promoted. */                     \
    const T##n above = greater_of(x, y), below = lesser_of(x, y);                                        \
    return as_##U##n(above) - as_##U##n(below);                                                          \
  }                                                                                                      \
  WEFT_BUILTIN T##n rotate(T##n x, T##n count) {                                                         \
    /* Shift counts of narrow scalars are promoted: both halves are cut to the type before they meet. */ \
    const U##n bits = (U##n)(sizeof(T) * 8 - 1), left = as_##U##n(count) & bits,                         \
               right = (U##n)(-left) & bits;                                                             \
    return as_##T##n((U##n)((U##n)(as_##U##n(x) << left) | (U##n)(as_##U##n(x) >> right)));              \
  }

// Narrow scalars are promoted before the intrinsic sees them; these forms LLVM turns back into it.
#define SATURATE(T, n)                                                                      \
  WEFT_BUILTIN T##n add_sat(T##n x, T##n y) { return __builtin_elementwise_add_sat(x, y); } \
  WEFT_BUILTIN T##n sub_sat(T##n x, T##n y) { return __builtin_elementwise_sub_sat(x, y); }
#define SATURATE_NARROW(T, low, high)                                                  \
  WEFT_BUILTIN T add_sat(T x, T y) { return (T)min(max((int)x + (int)y, low), high); } \
  WEFT_BUILTIN T sub_sat(T x, T y) { return (T)min(max((int)x - (int)y, low), high); }
#define SATURATE_NARROW_UNSIGNED(T)                                           \
  WEFT_BUILTIN T add_sat(T x, T y) { return x > (T)~y ? (T)~0 : (T)(x + y); } \
  WEFT_BUILTIN T sub_sat(T x, T y) { return x > y ? (T)(x - y) : (T)0; }

// A vector by a scalar bound: min, max and clamp only.
#define SCALAR_BOUND(T, U, n)                                                              \
  WEFT_BUILTIN T##n max(T##n x, T y) { return __builtin_elementwise_max(x, (T##n)y); }     \
  WEFT_BUILTIN T##n min(T##n x, T y) { return __builtin_elementwise_min(x, (T##n)y); }     \
  WEFT_BUILTIN T##n clamp(T##n x, T low, T high) {                                         \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, (T##n)low), (T##n)high); \
  }

#define SIGNED_ABS(T, U, n)                              \
  WEFT_BUILTIN U##n abs(T##n x) {                        \
    const T##n magnitude = __builtin_elementwise_abs(x); \
    return as_##U##n(magnitude);                         \
  }
#define UNSIGNED_ABS(T, U, n) \
  WEFT_BUILTIN U##n abs(T##n x) { return x; }

#define INTEGER(T, U, S, bits) WEFT_WIDTHS(SIMPLE, T, U) WEFT_VECTOR_WIDTHS(SCALAR_BOUND, T, U)
#define SIGNED(T, U, S, bits) WEFT_WIDTHS(SIGNED_ABS, T, U)
#define UNSIGNED(T, U, S, bits) WEFT_WIDTHS(UNSIGNED_ABS, T, U)
WEFT_INTEGER_TYPES(INTEGER)
SATURATE_NARROW(char, CHAR_MIN, CHAR_MAX)
SATURATE_NARROW(short, SHRT_MIN, SHRT_MAX)
SATURATE_NARROW_UNSIGNED(uchar)
SATURATE_NARROW_UNSIGNED(ushort)
WEFT_VECTOR_WIDTHS(SATURATE, char)
WEFT_VECTOR_WIDTHS(SATURATE, uchar)
WEFT_VECTOR_WIDTHS(SATURATE, short)
WEFT_VECTOR_WIDTHS(SATURATE, ushort)
WEFT_WIDTHS(SATURATE, int)
WEFT_WIDTHS(SATURATE, uint)
WEFT_WIDTHS(SATURATE, long)
WEFT_WIDTHS(SATURATE, ulong)
WEFT_SIGNED_TYPES(SIGNED)
WEFT_UNSIGNED_TYPES(UNSIGNED)

// 24-bit multiplication is defined for operands of 24 bits only: the 32-bit product serves.
#define MUL24(T, n)                                                                            \
  WEFT_BUILTIN T##n mul24(T##n x, T##n y) { return as_##T##n(as_uint##n(x) * as_uint##n(y)); } \
  WEFT_BUILTIN T##n mad24(T##n x, T##n y, T##n z) {                                            \
    return as_##T##n(as_uint##n(x) * as_uint##n(y) + as_uint##n(z));                           \
  }
WEFT_WIDTHS(MUL24, int)
WEFT_WIDTHS(MUL24, uint)

// upsample: the high half from `high`, the low half from `low`. Wide, UWide: types of twice the size.
#define UPSAMPLE(T, U, Wide, UWide, n)                                                                      \
  WEFT_BUILTIN Wide##n upsample(T##n high, U##n low) {                                                      \
    const UWide##n wide_high = __builtin_convertvector(as_##U##n(high), UWide##n);                          \
    return as_##Wide##n((wide_high << (UWide##n)(sizeof(T) * 8)) | __builtin_convertvector(low, UWide##n)); \
  }
#define UPSAMPLE_SCALAR(T, U, Wide, UWide)                                  \
  WEFT_BUILTIN Wide upsample(T high, U low) {                               \
    return (Wide)(UWide)((UWide)((UWide)(U)high << (sizeof(T) * 8)) | low); \
  }
#define UPSAMPLES(T, U, Wide, UWide) \
  UPSAMPLE_SCALAR(T, U, Wide, UWide) WEFT_VECTOR_WIDTHS(UPSAMPLE, T, U, Wide, UWide)
UPSAMPLES(char, uchar, short, ushort)
UPSAMPLES(uchar, uchar, ushort, ushort)
UPSAMPLES(short, ushort, int, uint)
UPSAMPLES(ushort, ushort, uint, uint)
UPSAMPLES(int, uint, long, ulong)
UPSAMPLES(uint, uint, ulong, ulong)
