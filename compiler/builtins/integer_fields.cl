// Fields of bits (cl_khr_extended_bit_ops). A field may be empty or as wide as the type, where a shift by its width would not do.
#include "builtins.h"

#define ONES(U, bits, count) (count < bits ? (U)(((U)1 << count) - 1) : (U)~(U)0)

#define FIELDS(T, U, S, n, bits)                                                                               \
  WEFT_BUILTIN T##n bitfield_insert(T##n base, T##n insert, uint offset, uint count) {                         \
    const U##n field = (U##n)(U)(ONES(U, bits, count) << (offset % bits));                                     \
    const U##n moved = as_##U##n(insert) << (U##n)(U)(offset % bits);                                          \
    const U##n all = (as_##U##n(base) & ~field) | (moved & field);                                             \
    return as_##T##n(all);                                                                                     \
  }                                                                                                            \
  WEFT_BUILTIN U##n bitfield_extract_unsigned(T##n base, uint offset, uint count) {                            \
    return (as_##U##n(base) >> (U##n)(U)(offset % bits)) & (U##n)ONES(U, bits, count);                         \
  }                                                                                                            \
  WEFT_BUILTIN S##n bitfield_extract_signed(T##n base, uint offset, uint count) {                              \
    const U##n high = as_##U##n(base) << (U##n)(U)((bits - offset - count) % bits);                            \
    return count ? as_##S##n(high) >> (S##n)(S)((bits - count) % bits) : (S##n)0;                              \
  }

#define REVERSE(T, U, S, bits) \
  WEFT_BUILTIN T bit_reverse(T x) { return as_##T((U)__builtin_bitreverse##bits(as_##U(x))); }
#define REVERSE_VECTOR(T, n) \
  WEFT_BUILTIN T##n bit_reverse(T##n x) { return (T##n)(WEFT_MAP_##n(bit_reverse, x)); }

#define ALL_FIELDS(T, U, S, bits)                                                                     \
  FIELDS(T, U, S, , bits) FIELDS(T, U, S, 2, bits) FIELDS(T, U, S, 3, bits) FIELDS(T, U, S, 4, bits)  \
  FIELDS(T, U, S, 8, bits) FIELDS(T, U, S, 16, bits)
#define REVERSE_VECTORS(T, U, S, bits) WEFT_VECTOR_WIDTHS(REVERSE_VECTOR, T)
WEFT_INTEGER_TYPES(ALL_FIELDS)
WEFT_INTEGER_TYPES(REVERSE)
WEFT_INTEGER_TYPES(REVERSE_VECTORS)
