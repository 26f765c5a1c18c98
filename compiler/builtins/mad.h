// Products with a sum whose results do not stand on how often they are rounded: once where the processor does that in one operation,
// else twice (linker/library_products.h).
#pragma once

#define WEFT_MAD_OF(T)                                                                       \
  static inline __attribute__((overloadable, always_inline)) T weft_mad(T a, T b, T c) {     \
    _Pragma("clang fp contract(on)") return a * b + c;                                       \
  }
#define WEFT_MADS(T) WEFT_MAD_OF(T) WEFT_MAD_OF(T##2) WEFT_MAD_OF(T##3) WEFT_MAD_OF(T##4) WEFT_MAD_OF(T##8) WEFT_MAD_OF(T##16)
WEFT_MADS(float)
WEFT_MADS(double)
