// Functions of a whole work-group (OpenCL C 3.0 §6.15.16): each sub-group leaves its part in local memory, and all read the parts. Products,
// bits and truth values are SPIR-V's, by the names that its translator has for them (SPV_KHR_uniform_group_instructions).
#include "sub_group.h"

/// Local memory for a value of each sub-group, of which a group has at most 32.
__local ulong* __weft_group_parts(void) __attribute__((const));

// The second barrier: another call may follow, whose parts go to the same place.
#define SHARE(T, part)                                         \
  __local T* parts = (__local T*)__weft_group_parts();         \
  const uint own = __weft_sub_group_id();                      \
  parts[own] = part;                                           \
  barrier(CLK_LOCAL_MEM_FENCE);
#define LEAVE barrier(CLK_LOCAL_MEM_FENCE);

#define VOTE(name, op)                                                                      \
  WEFT_BUILTIN __attribute__((convergent)) int work_group_##name(int predicate) {           \
    SHARE(int, sub_group_##name(predicate))                                                 \
    int result = parts[0];                                                                  \
    for (uint i = 1; i < get_num_sub_groups(); ++i) result = result op parts[i];            \
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

#define ADD(a, b) ((a) + (b))
#define SCAN(T, kind, name, op)                                                                                    \
  WEFT_BUILTIN __attribute__((convergent)) T work_group_scan_##kind##_##name(T x) {                                \
    SHARE(T, sub_group_reduce_##name(x))                                                                           \
    T result = sub_group_scan_##kind##_##name(x);                                                                  \
    for (uint i = 0; i < own; ++i) result = op(parts[i], result);                                                  \
    LEAVE                                                                                                          \
    return result;                                                                                                 \
  }
#define COMBINE(T, name, op)                                                                                       \
  WEFT_BUILTIN __attribute__((convergent)) T work_group_reduce_##name(T x) {                                       \
    SHARE(T, sub_group_reduce_##name(x))                                                                           \
    T result = parts[0];                                                                                           \
    for (uint i = 1; i < get_num_sub_groups(); ++i) result = op(result, parts[i]);                                 \
    LEAVE                                                                                                          \
    return result;                                                                                                 \
  }                                                                                                                \
  SCAN(T, inclusive, name, op)                                                                                     \
  SCAN(T, exclusive, name, op)
#define ALL_OF(T, minimum, maximum) \
  BROADCAST(T) COMBINE(T, add, ADD) COMBINE(T, min, minimum) COMBINE(T, max, maximum)
ALL_OF(int, min, max)
ALL_OF(uint, min, max)
ALL_OF(long, min, max)
ALL_OF(ulong, min, max)
ALL_OF(half, fmin, fmax)
ALL_OF(float, fmin, fmax)
ALL_OF(double, fmin, fmax)

// sub_group_arithmetic.cl has them, and Clang does not declare them.
#define DECLARED(T, name)                                                                       \
  __attribute__((overloadable, convergent)) T sub_group_reduce_##name(T x);                     \
  __attribute__((overloadable, convergent)) T sub_group_scan_inclusive_##name(T x);             \
  __attribute__((overloadable, convergent)) T sub_group_scan_exclusive_##name(T x);
#define DECLARED_COMBINE(T, name, op) DECLARED(T, name) COMBINE(T, name, op)
#define MUL(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define BITS_OF(T)                                                                                                \
  DECLARED_COMBINE(T, mul, MUL) DECLARED_COMBINE(T, bitwise_and, AND) DECLARED_COMBINE(T, bitwise_or, OR)         \
  DECLARED_COMBINE(T, bitwise_xor, XOR)
BITS_OF(int)
BITS_OF(uint)
BITS_OF(long)
BITS_OF(ulong)
DECLARED_COMBINE(half, mul, MUL)
DECLARED_COMBINE(float, mul, MUL)
DECLARED_COMBINE(double, mul, MUL)

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
