// Directed rounding of floating-point values to narrower ones, by correction of the hardware's rounding to
// nearest.
//
// x: the value (type W##n); bits: of its nearest narrow neighbour (signed S##n, a float's sign and
// magnitude); back: that neighbour as W##n again, exact. A step of one in the bits is the next narrow value,
// over the boundaries of binades, denormals and infinity alike. NaN compares false and stays.
#pragma once

#include "builtins.h"

// All bits set if the sign is; the step in the bits to the next greater value.
#define WEFT_SIGN_MASK(bits, S, n) ((bits) >> (S##n)(S)(sizeof(S) * 8 - 1))
#define WEFT_UPWARD(bits, S, n) (WEFT_SIGN_MASK(bits, S, n) | (S##n)(S)1)

#define WEFT_STEP_rte(x, bits, back, S, n) ((void)(back), (bits))
#define WEFT_STEP_rtz(x, bits, back, S, n)                                   \
  ((bits) + ((WEFT_MASK((back) > (x), S, n) & ~WEFT_SIGN_MASK(bits, S, n)) | \
             (WEFT_MASK((back) < (x), S, n) & WEFT_SIGN_MASK(bits, S, n))))
#define WEFT_STEP_rtp(x, bits, back, S, n) \
  ((bits) + (WEFT_MASK((back) < (x), S, n) & WEFT_UPWARD(bits, S, n)))
#define WEFT_STEP_rtn(x, bits, back, S, n) \
  ((bits) - (WEFT_MASK((back) > (x), S, n) & WEFT_UPWARD(bits, S, n)))
