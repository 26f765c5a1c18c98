// Includes WEFT_BODY twice, for double and then for float, after the cores of each type (math_core.h).
// A float function may so call on double. The parameters of a type:
//   T  the type                 I, U  integers of its size       C(x)  a constant of it
//   AS_T, AS_I, AS_U  bit casts    MANTISSA, BIAS  of its format    PICK(f, d)  f for float, d for double
//   WEFT_DOUBLE  whether T is double
#pragma once

#include "math.h"
#include "math_polynomials.h"
#include "math_tables.h"

#define T double
#define I long
#define U ulong
#define C(x) x
#define AS_T as_double
#define AS_I as_long
#define AS_U as_ulong
#define MANTISSA 52
#define BIAS 1023
#define PICK(f, d) d
#define WEFT_DOUBLE 1
#include "math_core.h"
#include WEFT_BODY
#undef T
#undef I
#undef U
#undef C
#undef AS_T
#undef AS_I
#undef AS_U
#undef MANTISSA
#undef BIAS
#undef PICK
#undef WEFT_DOUBLE

#define T float
#define I int
#define U uint
#define C(x) x##f
#define AS_T as_float
#define AS_I as_int
#define AS_U as_uint
#define MANTISSA 23
#define BIAS 127
#define PICK(f, d) f
#define WEFT_DOUBLE 0
#include "math_core.h"
#include WEFT_BODY
