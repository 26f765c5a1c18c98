// Barriers and fences (OpenCL C 3.0 §6.15.8, §6.15.9).
//
// A warp's memory instructions execute in program order for all its lanes, and a group runs on one worker,
// so a fence only has to keep the code generator from moving accesses across it: on x86 an acquire-release
// fence is no instruction.
#include "builtins.h"

WEFT_BUILTIN __attribute__((convergent)) void barrier(cl_mem_fence_flags flags) { __weft_barrier(flags); }

WEFT_BUILTIN __attribute__((convergent)) void work_group_barrier(cl_mem_fence_flags flags) {
  __weft_barrier(flags);
}

WEFT_BUILTIN __attribute__((convergent)) void work_group_barrier(cl_mem_fence_flags flags,
                                                                 memory_scope scope) {
  // Memory that other groups see under a wider scope than the group's.
  if (scope != memory_scope_work_group && scope != memory_scope_work_item)
    __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
  __weft_barrier(flags);
}

WEFT_BUILTIN void mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(__ATOMIC_ACQ_REL); }
WEFT_BUILTIN void read_mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(__ATOMIC_ACQUIRE); }
WEFT_BUILTIN void write_mem_fence(cl_mem_fence_flags flags) { __c11_atomic_thread_fence(__ATOMIC_RELEASE); }

WEFT_BUILTIN void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  // Constant in practice: one of the fences stays.
  if (order == memory_order_seq_cst)
    __c11_atomic_thread_fence(__ATOMIC_SEQ_CST);
  else if (order != memory_order_relaxed)
    __c11_atomic_thread_fence(__ATOMIC_ACQ_REL);
}
