// Reductions and scans over a sub-group (OpenCL C 3.0 §6.15.19, cl_khr_subgroup_extended_types, _non_uniform_arithmetic,
// _clustered_reduce; products, bits and truth values of whole sub-groups as the SPIR-V translator names them, of
// SPV_KHR_uniform_group_instructions).
#include "sub_group.h"

#define DECLARE(op, U, suffix)                                   \
  WEFT_LANES U __weft_sub_group_reduce_##op##_##suffix(U);       \
  WEFT_LANES U __weft_sub_group_inclusive_##op##_##suffix(U);    \
  WEFT_LANES U __weft_sub_group_exclusive_##op##_##suffix(U);    \
  WEFT_LANES U __weft_sub_group_cluster_##op##_##suffix(U, uint);
#define DECLARE_ALL(T, U, suffix, u) \
  DECLARE(add, U, suffix) DECLARE(mul, U, suffix) DECLARE(u##min, U, suffix) DECLARE(u##max, U, suffix)
#define DECLARE_BITS(T, U, suffix, u) DECLARE(and, U, suffix) DECLARE(or, U, suffix) DECLARE(xor, U, suffix)
WEFT_SUB_GROUP_TYPES(DECLARE_ALL)
WEFT_SUB_GROUP_INTEGERS(DECLARE_BITS)

// `name` is what OpenCL calls the operation, `op` what the primitives do.
#define UNIFORM(T, U, suffix, name, op)                                                                                    \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_reduce_##name(T x) {                                                \
    return (T)__weft_sub_group_reduce_##op##_##suffix((U)x);                                                               \
  }                                                                                                                        \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_scan_inclusive_##name(T x) {                                        \
    return (T)__weft_sub_group_inclusive_##op##_##suffix((U)x);                                                            \
  }                                                                                                                        \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_scan_exclusive_##name(T x) {                                        \
    return (T)__weft_sub_group_exclusive_##op##_##suffix((U)x);                                                            \
  }
#define NON_UNIFORM(T, U, suffix, name, op)                                                                                \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_non_uniform_reduce_##name(T x) {                                    \
    return (T)__weft_sub_group_reduce_##op##_##suffix((U)x);                                                               \
  }                                                                                                                        \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_non_uniform_scan_inclusive_##name(T x) {                            \
    return (T)__weft_sub_group_inclusive_##op##_##suffix((U)x);                                                            \
  }                                                                                                                        \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_non_uniform_scan_exclusive_##name(T x) {                            \
    return (T)__weft_sub_group_exclusive_##op##_##suffix((U)x);                                                            \
  }                                                                                                                        \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_clustered_reduce_##name(T x, uint size) {                           \
    return (T)__weft_sub_group_cluster_##op##_##suffix((U)x, size);                                                        \
  }
#define OF_TYPE(T, U, suffix, u)                                                        \
  UNIFORM(T, U, suffix, add, add)                                                       \
  UNIFORM(T, U, suffix, min, u##min)                                                    \
  UNIFORM(T, U, suffix, max, u##max)                                                    \
  UNIFORM(T, U, suffix, mul, mul)                                                       \
  NON_UNIFORM(T, U, suffix, add, add)                                                   \
  NON_UNIFORM(T, U, suffix, mul, mul)                                                   \
  NON_UNIFORM(T, U, suffix, min, u##min)                                                \
  NON_UNIFORM(T, U, suffix, max, u##max)
WEFT_SUB_GROUP_TYPES(OF_TYPE)

#define BITS_OF_TYPE(T, U, suffix, u)                                                                         \
  NON_UNIFORM(T, U, suffix, and, and) NON_UNIFORM(T, U, suffix, or, or) NON_UNIFORM(T, U, suffix, xor, xor)   \
  UNIFORM(T, U, suffix, bitwise_and, and) UNIFORM(T, U, suffix, bitwise_or, or) UNIFORM(T, U, suffix, bitwise_xor, xor)
WEFT_SUB_GROUP_INTEGERS(BITS_OF_TYPE)

// Truth values are 0 and 1; of the identity of `and`, which has all bits, the lowest is left.
#define LOGICAL_OF(prefix, name)                                                                                       \
  WEFT_BUILTIN __attribute__((convergent)) int prefix##reduce_logical_##name(int x) {                                  \
    return __weft_sub_group_reduce_##name##_i32(x != 0) & 1;                                                           \
  }                                                                                                                    \
  WEFT_BUILTIN __attribute__((convergent)) int prefix##scan_inclusive_logical_##name(int x) {                          \
    return __weft_sub_group_inclusive_##name##_i32(x != 0) & 1;                                                        \
  }                                                                                                                    \
  WEFT_BUILTIN __attribute__((convergent)) int prefix##scan_exclusive_logical_##name(int x) {                          \
    return __weft_sub_group_exclusive_##name##_i32(x != 0) & 1;                                                        \
  }
#define LOGICAL(name)                                                                                                  \
  LOGICAL_OF(sub_group_, name)                                                                                         \
  LOGICAL_OF(sub_group_non_uniform_, name)                                                                             \
  WEFT_BUILTIN __attribute__((convergent)) int sub_group_clustered_reduce_logical_##name(int x, uint size) {           \
    return __weft_sub_group_cluster_##name##_i32(x != 0, size) & 1;                                                    \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)
