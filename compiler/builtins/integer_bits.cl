// clz, ctz and popcount (OpenCL C 3.0 §6.15.3). Clang has these intrinsics for scalars only, so those of
// vectors are LLVM's by their names. clz(0) and ctz(0) are the width of the type.
#include "builtins.h"

#define SCALAR(T, U, S, bits)                                       \
  WEFT_BUILTIN T clz(T x) { return (T)__builtin_clzg((U)x, bits); } \
  WEFT_BUILTIN T ctz(T x) { return (T)__builtin_ctzg((U)x, bits); } \
  WEFT_BUILTIN T popcount(T x) { return (T)__builtin_popcountg((U)x); }

// What LLVM does to a vector stays one operation, so that components which lie beside each other in memory need not be taken apart.
#define WHOLE(n, T, bits)                                                                     \
  __attribute__((const)) T##n weft_ctlz_##T##n(T##n, bool) __asm("llvm.ctlz.v" #n "i" #bits); \
  __attribute__((const)) T##n weft_cttz_##T##n(T##n, bool) __asm("llvm.cttz.v" #n "i" #bits); \
  __attribute__((const)) T##n weft_ctpop_##T##n(T##n) __asm("llvm.ctpop.v" #n "i" #bits);     \
  WEFT_BUILTIN T##n clz(T##n x) { return weft_ctlz_##T##n(x, false); }                        \
  WEFT_BUILTIN T##n ctz(T##n x) { return weft_cttz_##T##n(x, false); }                        \
  WEFT_BUILTIN T##n popcount(T##n x) { return weft_ctpop_##T##n(x); }

// Vectors of three are passed as they lie in memory.
#define THREE(T)                                                       \
  WEFT_BUILTIN T##3 clz(T##3 x) { return (T##3)(WEFT_MAP_3(clz, x)); } \
  WEFT_BUILTIN T##3 ctz(T##3 x) { return (T##3)(WEFT_MAP_3(ctz, x)); } \
  WEFT_BUILTIN T##3 popcount(T##3 x) { return (T##3)(WEFT_MAP_3(popcount, x)); }

#define VECTORS(T, U, S, bits) THREE(T) WHOLE(2, T, bits) WHOLE(4, T, bits) WHOLE(8, T, bits) WHOLE(16, T, bits)
WEFT_INTEGER_TYPES(SCALAR)
WEFT_INTEGER_TYPES(VECTORS)
