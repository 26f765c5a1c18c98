// What the math functions share.
#pragma once

// Error terms are computed by exact sums and products: only an explicit fma() is one.
#pragma OPENCL FP_CONTRACT OFF

#define WEFT_OVERLOAD __attribute__((overloadable))
