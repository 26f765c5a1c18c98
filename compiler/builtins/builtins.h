// What the sources of the builtin library share: how a builtin is declared, the primitives that the warp
// compiler lowers, and lists of types and widths to make families of overloads from.
//
// The library is OpenCL C 3.0 for spir64 (flags: ../builtins_flags.cmake). Each function is code of one
// work-item; it is inlined in kernels and widened over the lanes of a warp. So: no branches where a select
// does, no tables, no calls that stay.
#pragma once

#include "mad.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

/// Every definition of a builtin: mangled as user code calls it, always inlined.
#define WEFT_BUILTIN __attribute__((overloadable, always_inline))

/// Helpers that are no builtins; overloadable too.
#define WEFT_HELPER static inline __attribute__((overloadable, always_inline))

// Primitives, lowered by compiler/simt. Ids are of the executing work-item; a global id includes the offset.
#define WEFT_PRIMITIVE __attribute__((const))
#define WEFT_PRIMITIVE3(T, name)            \
  WEFT_PRIMITIVE T __weft_##name##_x(void); \
  WEFT_PRIMITIVE T __weft_##name##_y(void); \
  WEFT_PRIMITIVE T __weft_##name##_z(void);
WEFT_PRIMITIVE3(uint, local_id)
WEFT_PRIMITIVE3(uint, local_size)
WEFT_PRIMITIVE3(uint, enqueued_local_size)
WEFT_PRIMITIVE3(ulong, global_id)
WEFT_PRIMITIVE3(ulong, group_id)
WEFT_PRIMITIVE3(ulong, num_groups)
WEFT_PRIMITIVE3(ulong, global_size)
WEFT_PRIMITIVE3(ulong, global_offset)
WEFT_PRIMITIVE uint __weft_work_dim(void);
/// The number of the space that `pointer` is known to point into (simt/ir/address_spaces.h), else the generic one's.
WEFT_PRIMITIVE uint __weft_known_space(const __generic void* pointer);
/// Addresses and sizes in bytes of the group's local memory, of its warps' state, and of the stack below the engine's own.
WEFT_PRIMITIVE ulong __weft_local_memory(void);
WEFT_PRIMITIVE ulong __weft_local_memory_bytes(void);
WEFT_PRIMITIVE ulong __weft_scratch(void);
WEFT_PRIMITIVE ulong __weft_scratch_bytes(void);
WEFT_PRIMITIVE ulong __weft_stack_end(void);
WEFT_PRIMITIVE ulong __weft_stack_bytes(void);
/// The one barrier: all work-items of the group arrive, memory named by `flags` is consistent after it.
__attribute__((convergent, noduplicate)) void __weft_barrier(uint flags);
/// Of sub-groups (simt/ir/sub_groups.h): what the executing work-items tell each other.
#define WEFT_LANES __attribute__((const, convergent))
/// A hint that `bytes` bytes will be read.
void __weft_prefetch(const __global void* address, size_t bytes);

// M(arguments..., width) for every width; that of a scalar is empty and first, or left out.
#define WEFT_VECTOR_WIDTHS(M, ...) \
  M(__VA_ARGS__, 2) M(__VA_ARGS__, 3) M(__VA_ARGS__, 4) M(__VA_ARGS__, 8) M(__VA_ARGS__, 16)
#define WEFT_WIDTHS(M, ...) M(__VA_ARGS__, ) WEFT_VECTOR_WIDTHS(M, __VA_ARGS__)

// M(type, unsigned type of its size, signed type of its size, bits).
#define WEFT_SIGNED_TYPES(M) \
  M(char, uchar, char, 8) M(short, ushort, short, 16) M(int, uint, int, 32) M(long, ulong, long, 64)
#define WEFT_UNSIGNED_TYPES(M) \
  M(uchar, uchar, char, 8) M(ushort, ushort, short, 16) M(uint, uint, int, 32) M(ulong, ulong, long, 64)
#define WEFT_INTEGER_TYPES(M) WEFT_SIGNED_TYPES(M) WEFT_UNSIGNED_TYPES(M)
#define WEFT_FLOAT_TYPES(M) M(half, ushort, short, 16) M(float, uint, int, 32) M(double, ulong, long, 64)
#define WEFT_ALL_TYPES(M) WEFT_INTEGER_TYPES(M) WEFT_FLOAT_TYPES(M)

// WEFT_MAP_n(f, v): f of each element of the n-vector v, to write (T##n)(WEFT_MAP_##n(f, v)) where an
// intrinsic is scalar only.
#define WEFT_MAP_(f, v) f(v)
#define WEFT_MAP_2(f, v) f(v.s0), f(v.s1)
#define WEFT_MAP_3(f, v) f(v.s0), f(v.s1), f(v.s2)
#define WEFT_MAP_4(f, v) WEFT_MAP_2(f, v), f(v.s2), f(v.s3)
#define WEFT_MAP_8(f, v) WEFT_MAP_4(f, v), f(v.s4), f(v.s5), f(v.s6), f(v.s7)
#define WEFT_MAP_16(f, v) \
  WEFT_MAP_8(f, v), f(v.s8), f(v.s9), f(v.sa), f(v.sb), f(v.sc), f(v.sd), f(v.se), f(v.sf)

// WEFT_CONVERT(x, T, n): x as T##n, element by element, written alike for scalars (an empty n) and vectors.
#define WEFT_CONVERT(x, T, n) WEFT_CONVERT_##n(x, T, n)
#define WEFT_CONVERT_(x, T, n) ((T)(x))
#define WEFT_CONVERT_2(x, T, n) __builtin_convertvector(x, T##n)
#define WEFT_CONVERT_3 WEFT_CONVERT_2
#define WEFT_CONVERT_4 WEFT_CONVERT_2
#define WEFT_CONVERT_8 WEFT_CONVERT_2
#define WEFT_CONVERT_16 WEFT_CONVERT_2

// WEFT_MASK(c, S, n): all bits of S##n set where the comparison c holds (1 for scalars, -1 for vectors).
#define WEFT_MASK(c, S, n) WEFT_MASK_##n(c, S, n)
#define WEFT_MASK_(c, S, n) ((S) - (S)(c))
#define WEFT_MASK_2(c, S, n) __builtin_convertvector(c, S##n)
#define WEFT_MASK_3 WEFT_MASK_2
#define WEFT_MASK_4 WEFT_MASK_2
#define WEFT_MASK_8 WEFT_MASK_2
#define WEFT_MASK_16 WEFT_MASK_2
