// Async copies between global and local memory, and prefetch (OpenCL C 3.0 §6.15.11): the work-items of the
// group copy element i, i + local size, ...; waiting is a barrier. Events carry nothing.
#include "builtins.h"

WEFT_HELPER uint first_element(void) { return (uint)get_local_linear_id(); }
WEFT_HELPER uint element_step(void) {
  return __weft_local_size_x() * __weft_local_size_y() * __weft_local_size_z();
}

// The loop counts groups of elements, so that its control is uniform.
#define COPY_LOOP(target, source)                                  \
  const size_t first = first_element(), step = element_step();     \
  for (size_t base = 0; base < count; base += step) {              \
    const size_t i = base + first;                                 \
    if (i < count) target = source;                                \
  }                                                                \
  return event;

#define COPIES(T, n)                                                                                         \
  WEFT_BUILTIN event_t async_work_group_copy(__local T##n *to, const __global T##n *from, size_t count,      \
                                             event_t event) {                                                \
    COPY_LOOP(to[i], from[i])                                                                                \
  }                                                                                                          \
  WEFT_BUILTIN event_t async_work_group_copy(__global T##n *to, const __local T##n *from, size_t count,      \
                                             event_t event) {                                                \
    COPY_LOOP(to[i], from[i])                                                                                \
  }                                                                                                          \
  WEFT_BUILTIN event_t async_work_group_strided_copy(__local T##n *to, const __global T##n *from,            \
                                                     size_t count, size_t stride, event_t event) {           \
    COPY_LOOP(to[i], from[i * stride])                                                                       \
  }                                                                                                          \
  WEFT_BUILTIN event_t async_work_group_strided_copy(__global T##n *to, const __local T##n *from,            \
                                                     size_t count, size_t stride, event_t event) {           \
    COPY_LOOP(to[i * stride], from[i])                                                                       \
  }                                                                                                          \
  WEFT_BUILTIN void prefetch(const __global T##n *address, size_t count) {}

#define COPIES_OF_TYPE(T, U, S, bits) WEFT_WIDTHS(COPIES, T)
WEFT_ALL_TYPES(COPIES_OF_TYPE)

// -fdeclare-opencl-builtins declares the list of events in generic memory (address space 4), even for programs
// that have none; the textual header in private memory.
#define WAIT(space) \
  WEFT_BUILTIN void wait_group_events(int count, space event_t *events) { \
    __weft_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);           \
  }
WAIT(__private)
WAIT(__attribute__((address_space(4))))
