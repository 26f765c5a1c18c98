// Dot products of four bytes (cl_khr_integer_dot_product).
#include "builtins.h"

#define DOT(A, B, R, name)                                                                                     \
  WEFT_BUILTIN R dot(A a, B b) {                                                                               \
    return (R)a.x * (R)b.x + (R)a.y * (R)b.y + (R)a.z * (R)b.z + (R)a.w * (R)b.w;                              \
  }                                                                                                            \
  WEFT_BUILTIN R dot_acc_sat(A a, B b, R c) { return add_sat(dot(a, b), c); }                                  \
  WEFT_BUILTIN R dot_4x8packed_##name(uint a, uint b) { return dot(as_##A(a), as_##B(b)); }                    \
  WEFT_BUILTIN R dot_acc_sat_4x8packed_##name(uint a, uint b, R c) { return add_sat(dot(as_##A(a), as_##B(b)), c); }
DOT(uchar4, uchar4, uint, uu_uint)
DOT(char4, char4, int, ss_int)
DOT(uchar4, char4, int, us_int)
DOT(char4, uchar4, int, su_int)
