// Atomic functions of OpenCL C 1.x (OpenCL C 3.0 §6.15.12.8, relaxed order) on 32-bit integers in global and
// local memory, also under their extensions' older names atom_*; and the 64-bit atom_* of
// cl_khr_int64_*_atomics.
#include "builtins.h"

// LLVM atomics on the address spaces; the target's own idea of lock-free sizes does not matter.
#pragma clang diagnostic ignored "-Watomic-alignment"

#define BINARY(prefix, name, builtin, T, space)                         \
  WEFT_BUILTIN T prefix##_##name(volatile space T* object, T operand) { \
    return builtin((space T*)object, operand, __ATOMIC_RELAXED);        \
  }
#define UNARY(prefix, name, builtin, T, space)                \
  WEFT_BUILTIN T prefix##_##name(volatile space T* object) {  \
    return builtin((space T*)object, (T)1, __ATOMIC_RELAXED); \
  }
#define EXCHANGE_IF(prefix, T, space)                                                          \
  WEFT_BUILTIN T prefix##_cmpxchg(volatile space T* object, T expected, T desired) {           \
    __atomic_compare_exchange_n((space T*)object, &expected, desired, false, __ATOMIC_RELAXED, \
                                __ATOMIC_RELAXED);                                             \
    return expected;                                                                           \
  }
#define FUNCTIONS(prefix, T, space)                                                                         \
  BINARY(prefix, add, __atomic_fetch_add, T, space)                                                         \
  BINARY(prefix, sub, __atomic_fetch_sub, T, space) BINARY(prefix, xchg, __atomic_exchange_n, T, space)     \
      BINARY(prefix, min, __atomic_fetch_min, T, space) BINARY(prefix, max, __atomic_fetch_max, T, space)   \
          BINARY(prefix, and, __atomic_fetch_and, T, space) BINARY(prefix, or, __atomic_fetch_or, T, space) \
              BINARY(prefix, xor, __atomic_fetch_xor, T, space)                                             \
                  UNARY(prefix, inc, __atomic_fetch_add, T, space)                                          \
                      UNARY(prefix, dec, __atomic_fetch_sub, T, space) EXCHANGE_IF(prefix, T, space)

FUNCTIONS(atomic, int, __global)
FUNCTIONS(atomic, int, __local)
FUNCTIONS(atomic, uint, __global)
FUNCTIONS(atomic, uint, __local)
FUNCTIONS(atom, int, __global)
FUNCTIONS(atom, int, __local)
FUNCTIONS(atom, uint, __global)
FUNCTIONS(atom, uint, __local)
FUNCTIONS(atom, long, __global)
FUNCTIONS(atom, long, __local)
FUNCTIONS(atom, ulong, __global)
FUNCTIONS(atom, ulong, __local)

#define FLOAT_EXCHANGE(space)                                                                    \
  WEFT_BUILTIN float atomic_xchg(volatile space float* object, float operand) {                  \
    return as_float(__atomic_exchange_n((space int*)object, as_int(operand), __ATOMIC_RELAXED)); \
  }
FLOAT_EXCHANGE(__global)
FLOAT_EXCHANGE(__local)
