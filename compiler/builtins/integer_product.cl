// mul_hi, mad_hi and mad_sat (OpenCL C 3.0 §6.15.3): products wider than their operands.
#include "builtins.h"

// Up to 32 bits: in the type of twice the size.
#define NARROW(T, U, Wide, low, high, n)                                                                \
  WEFT_BUILTIN T##n mul_hi(T##n x, T##n y) {                                                            \
    const Wide##n product = (Wide##n)(WEFT_CONVERT(x, Wide, n) * WEFT_CONVERT(y, Wide, n));             \
    return WEFT_CONVERT(product >> (Wide)(sizeof(T) * 8), T, n);                                        \
  }                                                                                                     \
  WEFT_BUILTIN T##n mad_hi(T##n x, T##n y, T##n z) {                                                    \
    const U##n sum = as_##U##n(mul_hi(x, y)) + as_##U##n(z);                                            \
    return as_##T##n(sum);                                                                              \
  }                                                                                                     \
  WEFT_BUILTIN T##n mad_sat(T##n x, T##n y, T##n z) {                                                   \
    /* The sum fits: (2^b - 1)^2 + 2^b - 1 < 2^2b. */                                                   \
    const Wide##n sum =                                                                                 \
        (Wide##n)(WEFT_CONVERT(x, Wide, n) * WEFT_CONVERT(y, Wide, n) + WEFT_CONVERT(z, Wide, n));      \
    const Wide##n cut = __builtin_elementwise_min(__builtin_elementwise_max(sum, (Wide##n)(Wide)(low)), \
                                                  (Wide##n)(Wide)(high));                               \
    return WEFT_CONVERT(cut, T, n);                                                                     \
  }
WEFT_WIDTHS(NARROW, char, uchar, short, CHAR_MIN, CHAR_MAX)
WEFT_WIDTHS(NARROW, uchar, uchar, ushort, 0, UCHAR_MAX)
WEFT_WIDTHS(NARROW, short, ushort, int, SHRT_MIN, SHRT_MAX)
WEFT_WIDTHS(NARROW, ushort, ushort, uint, 0, USHRT_MAX)
WEFT_WIDTHS(NARROW, int, uint, long, INT_MIN, INT_MAX)
WEFT_WIDTHS(NARROW, uint, uint, ulong, 0, UINT_MAX)

// 64 bits: four products of 32 x 32 bits, which the vector units have.
#define LONG_PRODUCTS(n)                                                                                   \
  WEFT_BUILTIN ulong##n mul_hi(ulong##n x, ulong##n y) {                                                   \
    const ulong##n mask = 0xffffffffUL;                                                                    \
    const ulong##n xl = x & mask, xh = x >> 32UL, yl = y & mask, yh = y >> 32UL;                           \
    const ulong##n middle = xh * yl + (xl * yl >> 32UL);                                                   \
    const ulong##n carry = xl * yh + (middle & mask);                                                      \
    return xh * yh + (middle >> 32UL) + (carry >> 32UL);                                                   \
  }                                                                                                        \
  WEFT_BUILTIN long##n mul_hi(long##n x, long##n y) {                                                      \
    /* x as unsigned is x + 2^64 if x < 0, which adds y to the high half. */                               \
    const ulong##n product = mul_hi(as_ulong##n(x), as_ulong##n(y));                                       \
    return as_long##n(product) - ((x >> 63L) & y) - ((y >> 63L) & x);                                      \
  }                                                                                                        \
  WEFT_BUILTIN ulong##n mad_hi(ulong##n x, ulong##n y, ulong##n z) { return mul_hi(x, y) + z; }            \
  WEFT_BUILTIN long##n mad_hi(long##n x, long##n y, long##n z) {                                           \
    return as_long##n(as_ulong##n(mul_hi(x, y)) + as_ulong##n(z));                                         \
  }                                                                                                        \
  WEFT_BUILTIN ulong##n mad_sat(ulong##n x, ulong##n y, ulong##n z) {                                      \
    const ulong##n sum = __builtin_elementwise_add_sat(x * y, z);                                          \
    return mul_hi(x, y) != (ulong##n)0 ? (ulong##n)ULONG_MAX : sum;                                        \
  }                                                                                                        \
  WEFT_BUILTIN long##n mad_sat(long##n x, long##n y, long##n z) {                                          \
    const ulong##n product = as_ulong##n(x) * as_ulong##n(y), sum = product + as_ulong##n(z);              \
    /* The carry out of the low half is (p & z) | ((p | z) & ~sum), in the sign bit. */                    \
    const ulong##n carry = ((product & as_ulong##n(z)) | ((product | as_ulong##n(z)) & ~sum)) >> 63UL;     \
    const long##n high = as_long##n(as_ulong##n(mul_hi(x, y)) + as_ulong##n(z >> 63L) + carry);            \
    /* In range if the high half is the sign of the low; else the sign of the high half says which end. */ \
    const long##n end = (high >> 63L) ^ (long##n)LONG_MAX;                                                 \
    return high == (as_long##n(sum) >> 63L) ? as_long##n(sum) : end;                                       \
  }
LONG_PRODUCTS()
LONG_PRODUCTS(2)
LONG_PRODUCTS(3)
LONG_PRODUCTS(4)
LONG_PRODUCTS(8)
LONG_PRODUCTS(16)
