// Atomic functions of OpenCL C 2.0 and later (OpenCL C 3.0 §6.15.12) on global, local and generic memory: atomic_init,
// load, store, exchange, compare_exchange, fetch and flag functions, each without order (sequentially
// consistent), with an order, and with order and scope.
//
// Read-modify-write operations and loads cost the same on x86 in every order, so they are sequentially consistent; a
// store tells the orders apart, and a fetch function says that it is relaxed, which lets passes gather updates
// (worker_copies.h). Scopes make no difference on one coherent machine.
#include "builtins.h"

#pragma clang diagnostic ignored "-Watomic-alignment"

#define SEQ_CST __ATOMIC_SEQ_CST

// The three names of an operation. A: the atomic type; args: further parameters, with a leading comma; the
// body sees `object` and, for stores, `order`.
#define NAMES(R, name, A, space, body, ...)                                                          \
  WEFT_BUILTIN R name(volatile space A* object __VA_ARGS__) {                                        \
    const memory_order order = memory_order_seq_cst;                                                 \
    body                                                                                             \
  }                                                                                                  \
  WEFT_BUILTIN R name##_explicit(volatile space A* object __VA_ARGS__, memory_order order){          \
      body} WEFT_BUILTIN R name##_explicit(volatile space A* object __VA_ARGS__, memory_order order, \
                                           memory_scope scope) {                                     \
    body                                                                                             \
  }

// T: the value's type; W: the integer of its size that the instructions work on.
#define VALUES(T, W, A, space)                                                                             \
  WEFT_BUILTIN void atomic_init(volatile space A* object, T value) { *(volatile space T*)object = value; } \
  NAMES(T, atomic_load, A, space, (void)order; return as_##T(__atomic_load_n((space W*)object, SEQ_CST));) \
  NAMES(void, atomic_store, A, space,                                                                      \
        if (order == memory_order_seq_cst) __atomic_store_n((space W*)object, as_##W(value), SEQ_CST);     \
        else __atomic_store_n((space W*)object, as_##W(value), __ATOMIC_RELEASE);, , T value)              \
  NAMES(T, atomic_exchange, A, space, (void)order;                                                         \
        return as_##T(__atomic_exchange_n((space W*)object, as_##W(value), SEQ_CST));, , T value)          \
  COMPARE_EXCHANGE(T, W, A, space, __private)                                                              \
  COMPARE_EXCHANGE(T, W, A, space, __local)                                                                \
  COMPARE_EXCHANGE(T, W, A, space, __global)                                                               \
  COMPARE_EXCHANGE(T, W, A, space, __generic)

#define COMPARE_EXCHANGE(T, W, A, space, expected_space)         \
  COMPARE_EXCHANGE_NAMED(strong, T, W, A, space, expected_space) \
  COMPARE_EXCHANGE_NAMED(weak, T, W, A, space, expected_space)
#define COMPARE_EXCHANGE_NAMED(kind, T, W, A, space, expected_space)                                         \
  WEFT_BUILTIN bool atomic_compare_exchange_##kind(volatile space A* object, expected_space T* expected,     \
                                                   T value){COMPARE_EXCHANGE_BODY(                           \
      T, W, space)} WEFT_BUILTIN bool atomic_compare_exchange_##kind##_explicit(volatile space A* object,    \
                                                                                expected_space T* expected,  \
                                                                                T value,                     \
                                                                                memory_order success,        \
                                                                                memory_order failure){       \
      COMPARE_EXCHANGE_BODY(                                                                                 \
          T, W,                                                                                              \
          space)} WEFT_BUILTIN bool atomic_compare_exchange_##kind##_explicit(volatile space A* object,      \
                                                                              expected_space T* expected,    \
                                                                              T value, memory_order success, \
                                                                              memory_order failure,          \
                                                                              memory_scope scope) {          \
    COMPARE_EXCHANGE_BODY(T, W, space)                                                                       \
  }
#define COMPARE_EXCHANGE_BODY(T, W, space)                                                          \
  W seen = as_##W(*expected);                                                                       \
  const bool equal =                                                                                \
      __atomic_compare_exchange_n((space W*)object, &seen, as_##W(value), false, SEQ_CST, SEQ_CST); \
  *expected = as_##T(seen); /* the same value again if equal */                                     \
  return equal;

#define FETCH(name, builtin, T, A, Operand, space)                                                                       \
  NAMES(T, atomic_fetch_##name, A, space,                                                                                \
        if (order == memory_order_relaxed) return builtin((space T*)object, (T)operand, __ATOMIC_RELAXED);               \
        return builtin((space T*)object, (T)operand, SEQ_CST);, , Operand operand)
#define FETCHES(T, A, Operand, space)                                                                       \
  FETCH(add, __atomic_fetch_add, T, A, Operand, space)                                                      \
  FETCH(sub, __atomic_fetch_sub, T, A, Operand, space) FETCH(min, __atomic_fetch_min, T, A, Operand, space) \
      FETCH(max, __atomic_fetch_max, T, A, Operand, space)                                                  \
          FETCH(and, __atomic_fetch_and, T, A, Operand, space)                                              \
              FETCH(or, __atomic_fetch_or, T, A, Operand, space)                                            \
                  FETCH(xor, __atomic_fetch_xor, T, A, Operand, space)

// cl_ext_float_atomics. The minimum and the maximum of a number and NaN are the number.
#define FLOAT_FETCHES(T, A, space)                                                                  \
  FETCH(add, __atomic_fetch_add, T, A, T, space) FETCH(sub, __atomic_fetch_sub, T, A, T, space)     \
  FETCH(min, __atomic_fetch_min, T, A, T, space) FETCH(max, __atomic_fetch_max, T, A, T, space)
// Clang 19 declares a store of half with an atomic operand. Read by its address: its value would be loaded atomically.
#define STORE_HALF(space)                                                                            \
  NAMES(void, atomic_store, atomic_half, space, short bits; __builtin_memcpy(&bits, &value, sizeof bits); \
        if (order == memory_order_seq_cst) __atomic_store_n((space short*)object, bits, SEQ_CST);    \
        else __atomic_store_n((space short*)object, bits, __ATOMIC_RELEASE);, , atomic_half value)
#define FLOATS(space)                               \
  STORE_HALF(space)                                 \
  VALUES(half, short, atomic_half, space)           \
  VALUES(float, int, atomic_float, space)           \
  VALUES(double, long, atomic_double, space)        \
  FLOAT_FETCHES(half, atomic_half, space)           \
  FLOAT_FETCHES(float, atomic_float, space)         \
  FLOAT_FETCHES(double, atomic_double, space)

#define IN_SPACE(space)                                                                           \
  VALUES(int, int, atomic_int, space)                                                             \
  VALUES(uint, uint, atomic_uint, space) VALUES(long, long, atomic_long, space)                   \
      VALUES(ulong, ulong, atomic_ulong, space) FLOATS(space)                                     \
          FETCHES(int, atomic_int, int, space)                                                    \
              FETCHES(uint, atomic_uint, uint, space) FETCHES(long, atomic_long, long, space)     \
                  FETCHES(ulong, atomic_ulong, ulong,                                             \
                          space) /* atomic_uintptr_t is atomic_ulong, with a ptrdiff_t to add. */ \
      FETCHES(ulong, atomic_ulong, long, space)                                                   \
          NAMES(bool, atomic_flag_test_and_set, atomic_flag, space, (void)order;                  \
                return __atomic_exchange_n((space int*)object, 1, SEQ_CST) != 0;)                 \
              NAMES(void, atomic_flag_clear, atomic_flag, space, (void)order;                     \
                    __atomic_store_n((space int*)object, 0, SEQ_CST);)

IN_SPACE(__global)
IN_SPACE(__local)
IN_SPACE(__generic)
