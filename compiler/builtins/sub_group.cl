// Sub-groups: ids, votes, barriers and broadcasts (OpenCL C 3.0 §6.15.1, §6.15.19; cl_khr_subgroup_non_uniform_vote). A sub-group is
// a warp, or 8 or 16 lanes of one if the kernel requires that: work-items with consecutive linear ids, in lockstep; the last one of a
// group may have fewer.
#include "sub_group.h"

WEFT_BUILTIN uint get_max_sub_group_size(void) { return __weft_sub_group_size(); }
WEFT_BUILTIN uint get_sub_group_id(void) { return __weft_sub_group_id(); }
WEFT_BUILTIN uint get_sub_group_local_id(void) { return __weft_sub_group_lane(); }

WEFT_BUILTIN uint get_sub_group_size(void) { return sub_group_items(); }

WEFT_HELPER uint sub_groups_of(uint items) { return (items + (__weft_sub_group_size() - 1)) / __weft_sub_group_size(); }
WEFT_BUILTIN uint get_num_sub_groups(void) { return sub_groups_of(group_size()); }
WEFT_BUILTIN uint get_enqueued_num_sub_groups(void) {
  return sub_groups_of(__weft_enqueued_local_size_x() * __weft_enqueued_local_size_y() * __weft_enqueued_local_size_z());
}

// Its work-items are there already, and see each other's memory.
WEFT_BUILTIN __attribute__((convergent)) void sub_group_barrier(cl_mem_fence_flags flags) {
  __c11_atomic_thread_fence(__ATOMIC_ACQ_REL);
}
WEFT_BUILTIN __attribute__((convergent)) void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope != memory_scope_sub_group && scope != memory_scope_work_group && scope != memory_scope_work_item)
    __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
  __c11_atomic_thread_fence(__ATOMIC_ACQ_REL);
}

#define VOTES(prefix)                                                                                            \
  WEFT_BUILTIN __attribute__((convergent)) int prefix##any(int predicate) {                                      \
    return __weft_sub_group_ballot(predicate != 0) != 0;                                                         \
  }                                                                                                              \
  WEFT_BUILTIN __attribute__((convergent)) int prefix##all(int predicate) {                                      \
    return __weft_sub_group_ballot(predicate == 0) == 0;                                                         \
  }
VOTES(sub_group_)
VOTES(sub_group_non_uniform_)

WEFT_BUILTIN __attribute__((convergent)) int sub_group_elect(void) {
  return __weft_sub_group_lane() == __builtin_ctz(WEFT_PARTICIPANTS);
}

WEFT_LANES uchar __weft_sub_group_broadcast_i8(uchar, uint);
WEFT_LANES ushort __weft_sub_group_broadcast_i16(ushort, uint);
WEFT_LANES uint __weft_sub_group_broadcast_i32(uint, uint);
WEFT_LANES ulong __weft_sub_group_broadcast_i64(ulong, uint);

#define BROADCAST(T, U, S, bits)                                                                                       \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_broadcast(T x, uint lane) {                                     \
    return as_##T(__weft_sub_group_broadcast_i##bits(as_##U(x), lane));                                                \
  }                                                                                                                    \
  WEFT_BUILTIN __attribute__((convergent)) T sub_group_broadcast_first(T x) {                                          \
    return as_##T(__weft_sub_group_first_i##bits(as_##U(x)));                                                          \
  }                                                                                                                    \
  WEFT_BUILTIN __attribute__((convergent)) int sub_group_non_uniform_all_equal(T x) {                                  \
    return __weft_sub_group_ballot(x != sub_group_broadcast_first(x)) == 0;                                            \
  }
WEFT_ALL_TYPES(BROADCAST)

#define FROM_LANE(x) sub_group_broadcast(x, lane)
#define BROADCAST_VECTOR(T, n)                                                             \
  WEFT_BUILTIN __attribute__((convergent)) T##n sub_group_broadcast(T##n x, uint lane) {   \
    return (T##n)(WEFT_MAP_##n(FROM_LANE, x));                                             \
  }
#define BROADCAST_VECTORS(T, U, S, bits) WEFT_VECTOR_WIDTHS(BROADCAST_VECTOR, T)
WEFT_ALL_TYPES(BROADCAST_VECTORS)

#define NON_UNIFORM_BROADCAST(T, n)                                                                     \
  WEFT_BUILTIN __attribute__((convergent)) T##n sub_group_non_uniform_broadcast(T##n x, uint lane) {    \
    return sub_group_broadcast(x, lane);                                                                \
  }
#define NON_UNIFORM_BROADCASTS(T, U, S, bits) WEFT_WIDTHS(NON_UNIFORM_BROADCAST, T)
WEFT_ALL_TYPES(NON_UNIFORM_BROADCASTS)
