// Functions of a whole work-group (OpenCL C 3.0 §6.15.16): each warp leaves its part in local memory, and all read the parts. A warp is one
// whatever the size of the kernel's sub-groups is. Products, bits and truth values are SPIR-V's, by the names that its translator has for
// them (SPV_KHR_uniform_group_instructions).
#include "sub_group.h"

/// Local memory for a value of each warp, of which a group has at most 32.
__local ulong* __weft_group_parts(void) __attribute__((const));

WEFT_PRIMITIVE uint __weft_warp_id(void);
WEFT_LANES uint __weft_warp_ballot(bool);
WEFT_HELPER uint num_warps(void) { return (group_size() + 31) / 32; }
WEFT_HELPER __attribute__((convergent)) int warp_any(int predicate) { return __weft_warp_ballot(predicate != 0) != 0; }
WEFT_HELPER __attribute__((convergent)) int warp_all(int predicate) { return __weft_warp_ballot(predicate == 0) == 0; }

// The second barrier: another call may follow, whose parts go to the same place.
#define SHARE(T, part)                                         \
  __local T* parts = (__local T*)__weft_group_parts();         \
  const uint own = __weft_warp_id();                           \
  parts[own] = part;                                           \
  barrier(CLK_LOCAL_MEM_FENCE);
#define LEAVE barrier(CLK_LOCAL_MEM_FENCE);

#define VOTE(name, op)                                                                      \
  WEFT_BUILTIN __attribute__((convergent)) int work_group_##name(int predicate) {           \
    SHARE(int, warp_##name(predicate))                                                      \
    int result = parts[0];                                                                  \
    for (uint i = 1; i < num_warps(); ++i) result = result op parts[i];                     \
    LEAVE                                                                                   \
    return result;                                                                          \
  }
VOTE(any, |)
VOTE(all, &)

#define BROADCAST(T)                                                                                               \
  WEFT_HELPER __attribute__((convergent)) T from_item(T x, bool is_source) {                                       \
    __local T* place = (__local T*)__weft_group_parts();                                                           \
    if (is_source) *place = x;                                                                                     \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
    const T result = *place;                                                                                       \
    LEAVE                                                                                                          \
    return result;                                                                                                 \
  }                                                                                                                \
  WEFT_BUILTIN __attribute__((convergent)) T work_group_broadcast(T x, size_t a) {                                 \
    return from_item(x, get_local_id(0) == a);                                                                     \
  }                                                                                                                \
  WEFT_BUILTIN __attribute__((convergent)) T work_group_broadcast(T x, size_t a, size_t b) {                       \
    return from_item(x, get_local_id(0) == a && get_local_id(1) == b);                                             \
  }                                                                                                                \
  WEFT_BUILTIN __attribute__((convergent)) T work_group_broadcast(T x, size_t a, size_t b, size_t c) {             \
    return from_item(x, get_local_id(0) == a && get_local_id(1) == b && get_local_id(2) == c);                     \
  }

// `name` is what OpenCL calls the operation on a T, `op` what the primitives on a U do, `with` what combines two parts as numbers of a W: sums
// and products of int wrap, which C leaves undefined, so theirs are of uint.
#define SCAN(T, U, W, suffix, kind, name, op, with)                                 \
  WEFT_LANES U __weft_warp_##kind##_##op##_##suffix(U);                             \
  WEFT_BUILTIN __attribute__((convergent)) T work_group_scan_##kind##_##name(T x) { \
    SHARE(T, (T)__weft_warp_reduce_##op##_##suffix((U)x))                           \
    T result = (T)__weft_warp_##kind##_##op##_##suffix((U)x);                       \
    for (uint i = 0; i < own; ++i) result = (T)with((W)parts[i], (W)result);        \
    LEAVE                                                                           \
    return result;                                                                  \
  }
#define COMBINE(T, U, W, suffix, name, op, with)                                     \
  WEFT_LANES U __weft_warp_reduce_##op##_##suffix(U);                                \
  WEFT_BUILTIN __attribute__((convergent)) T work_group_reduce_##name(T x) {         \
    SHARE(T, (T)__weft_warp_reduce_##op##_##suffix((U)x))                            \
    T result = parts[0];                                                             \
    for (uint i = 1; i < num_warps(); ++i) result = (T)with((W)result, (W)parts[i]); \
    LEAVE                                                                            \
    return result;                                                                   \
  }                                                                                  \
  SCAN(T, U, W, suffix, inclusive, name, op, with)                                   \
  SCAN(T, U, W, suffix, exclusive, name, op, with)

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define OF_TYPE(T, U, suffix, u, minimum, maximum)                                \
  BROADCAST(T)                                                                    \
  COMBINE(T, U, U, suffix, add, add, ADD) COMBINE(T, U, U, suffix, mul, mul, MUL) \
  COMBINE(T, U, T, suffix, min, u##min, minimum) COMBINE(T, U, T, suffix, max, u##max, maximum)
#define BITS_OF_TYPE(T, U, suffix)                                                             \
  COMBINE(T, U, U, suffix, bitwise_and, and, AND) COMBINE(T, U, U, suffix, bitwise_or, or, OR) \
  COMBINE(T, U, U, suffix, bitwise_xor, xor, XOR)
#define INTEGER(T, U, suffix, u) OF_TYPE(T, U, suffix, u, min, max) BITS_OF_TYPE(T, U, suffix)
INTEGER(int, uint, i32, )
INTEGER(uint, uint, i32, u)
INTEGER(long, ulong, i64, )
INTEGER(ulong, ulong, i64, u)
OF_TYPE(half, half, f16, , fmin, fmax)
OF_TYPE(float, float, f32, , fmin, fmax)
OF_TYPE(double, double, f64, , fmin, fmax)

// Truth values are 0 and 1; of the identity of `and`, which has all bits, the lowest is left.
#define LOGICAL(name)                                                                                              \
  WEFT_BUILTIN __attribute__((convergent)) int work_group_reduce_logical_##name(int x) {                           \
    return work_group_reduce_bitwise_##name((int)(x != 0)) & 1;                                                    \
  }                                                                                                                \
  WEFT_BUILTIN __attribute__((convergent)) int work_group_scan_inclusive_logical_##name(int x) {                   \
    return work_group_scan_inclusive_bitwise_##name((int)(x != 0)) & 1;                                            \
  }                                                                                                                \
  WEFT_BUILTIN __attribute__((convergent)) int work_group_scan_exclusive_logical_##name(int x) {                   \
    return work_group_scan_exclusive_bitwise_##name((int)(x != 0)) & 1;                                            \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)
