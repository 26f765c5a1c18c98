// Async copies between global and local memory, and prefetch (OpenCL C 3.0 §6.15.11, cl_khr_extended_async_copies). The work-items of the
// group copy together; waiting is a barrier. Events carry nothing.
//
// Whatever the element, memory is copied in units of at most 8 bytes, unit i by work-item i, i + group size,
// ...: a warp's accesses are contiguous, and the code is as small for double16 as for int.
#include "builtins.h"

// Unit and log2 of the units of an element of 2^b bytes. Vectors are aligned to their size, a 3-vector's is
// that of 4.
#define UNIT_0 uchar
#define UNIT_1 ushort
#define UNIT_2 uint
#define UNIT_3 ulong
#define UNIT_4 ulong
#define UNIT_5 ulong
#define UNIT_6 ulong
#define UNIT_7 ulong
#define SHIFT(b) ((b) > 3 ? (b) - 3 : 0)

// The loop counts rounds of the group, so that its control is uniform.
#define COPY(name, U, to_space, from_space, to_index, from_index)                                            \
  WEFT_HELPER void name(to_space U* to, const from_space U* from, size_t count, uint shift, size_t stride) { \
    const size_t first = get_local_linear_id(), units = count << shift;                                      \
    const size_t step = __weft_local_size_x() * __weft_local_size_y() * __weft_local_size_z();               \
    for (size_t base = 0; base < units; base += step) {                                                      \
      const size_t i = base + first;                                                                         \
      if (i < units) to[to_index] = from[from_index];                                                        \
    }                                                                                                        \
  }
// Unit i where elements of 2^shift units are `stride` elements apart.
#define STRIDED (((i >> shift) * stride << shift) + (i & ((1ul << shift) - 1)))
#define COPIES_OF_UNIT(U)                                                                     \
  COPY(copy, U, __local, __global, i, i)                                                      \
  COPY(copy, U, __global, __local, i, i) COPY(copy_strided, U, __local, __global, i, STRIDED) \
      COPY(copy_strided, U, __global, __local, STRIDED, i)
COPIES_OF_UNIT(uchar)
COPIES_OF_UNIT(ushort)
COPIES_OF_UNIT(uint)
COPIES_OF_UNIT(ulong)

#define FUNCTIONS_BETWEEN(T, b, to_space, from_space)                                                        \
  WEFT_BUILTIN event_t async_work_group_copy(to_space T* to, const from_space T* from, size_t count,         \
                                             event_t event) {                                                \
    copy((to_space UNIT_##b*)to, (const from_space UNIT_##b*)from, count, SHIFT(b), 1);                      \
    return event;                                                                                            \
  }                                                                                                          \
  WEFT_BUILTIN event_t async_work_group_strided_copy(to_space T* to, const from_space T* from, size_t count, \
                                                     size_t stride, event_t event) {                         \
    copy_strided((to_space UNIT_##b*)to, (const from_space UNIT_##b*)from, count, SHIFT(b), stride);         \
    return event;                                                                                            \
  }
#define FUNCTIONS(T, b)                      \
  FUNCTIONS_BETWEEN(T, b, __local, __global) \
  FUNCTIONS_BETWEEN(T, b, __global, __local) \
  WEFT_BUILTIN void prefetch(const __global T* address, size_t count) { __weft_prefetch(address, count * sizeof(T)); }
// b1, b2, ...: log2 bytes of the scalar and of the vectors of 2, 4, 8 and 16.
#define TYPE(T, b1, b2, b4, b8, b16) \
  FUNCTIONS(T, b1)                   \
  FUNCTIONS(T##2, b2) FUNCTIONS(T##3, b4) FUNCTIONS(T##4, b4) FUNCTIONS(T##8, b8) FUNCTIONS(T##16, b16)
TYPE(char, 0, 1, 2, 3, 4)
TYPE(uchar, 0, 1, 2, 3, 4)
TYPE(short, 1, 2, 3, 4, 5)
TYPE(ushort, 1, 2, 3, 4, 5)
TYPE(int, 2, 3, 4, 5, 6)
TYPE(uint, 2, 3, 4, 5, 6)
TYPE(long, 3, 4, 5, 6, 7)
TYPE(ulong, 3, 4, 5, 6, 7)
TYPE(half, 1, 2, 3, 4, 5)
TYPE(float, 2, 3, 4, 5, 6)
TYPE(double, 3, 4, 5, 6, 7)

// -fdeclare-opencl-builtins declares the list of events in generic memory (address space 4), even for
// programs that have none; the textual header in private memory.
#define WAIT(space)                                                       \
  WEFT_BUILTIN void wait_group_events(int count, space event_t* events) { \
    __weft_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);           \
  }
WAIT(__private)
WAIT(__attribute__((address_space(4))))

// Boxes (cl_khr_extended_async_copies): line after line, the work-items side by side along it. All sizes and strides are of elements.
#define COPY_BOX(U, to_space, from_space)                                                                                   \
  WEFT_HELPER void copy_box(to_space U* to, const from_space U* from, size_t line, size_t lines, size_t planes,             \
                            size_t from_line, size_t from_plane, size_t to_line, size_t to_plane) {                         \
    const size_t first = get_local_linear_id();                                                                             \
    const size_t step = __weft_local_size_x() * __weft_local_size_y() * __weft_local_size_z();                              \
    for (size_t z = 0; z < planes; ++z) {                                                                                   \
      for (size_t y = 0; y < lines; ++y) {                                                                                  \
        for (size_t base = 0; base < line; base += step) {                                                                  \
          const size_t x = base + first;                                                                                    \
          if (x < line) to[z * to_plane + y * to_line + x] = from[z * from_plane + y * from_line + x];                      \
        }                                                                                                                   \
      }                                                                                                                     \
    }                                                                                                                       \
  }
#define BOXES_BETWEEN(to_space, from_space)                                                                                 \
  COPY_BOX(uchar, to_space, from_space)                                                                                     \
  COPY_BOX(uint, to_space, from_space)                                                                                      \
  WEFT_BUILTIN event_t async_work_group_copy_3D3D(                                                                          \
      to_space void* to, size_t to_offset, const from_space void* from, size_t from_offset, size_t bytes, size_t line,      \
      size_t lines, size_t planes, size_t from_line, size_t from_plane, size_t to_line, size_t to_plane, event_t event) {   \
    if ((((size_t)to | (size_t)from | bytes) & 3) == 0) {                                                                   \
      const size_t n = bytes / 4;                                                                                           \
      copy_box((to_space uint*)to + to_offset * n, (const from_space uint*)from + from_offset * n, line * n, lines, planes, \
               from_line * n, from_plane * n, to_line * n, to_plane * n);                                                   \
    } else {                                                                                                                \
      const size_t n = bytes;                                                                                               \
      copy_box((to_space uchar*)to + to_offset * n, (const from_space uchar*)from + from_offset * n, line * n, lines,       \
               planes, from_line * n, from_plane * n, to_line * n, to_plane * n);                                           \
    }                                                                                                                       \
    return event;                                                                                                           \
  }                                                                                                                         \
  WEFT_BUILTIN event_t async_work_group_copy_2D2D(to_space void* to, size_t to_offset, const from_space void* from,         \
                                                  size_t from_offset, size_t bytes, size_t line, size_t lines,              \
                                                  size_t from_line, size_t to_line, event_t event) {                        \
    return async_work_group_copy_3D3D(to, to_offset, from, from_offset, bytes, line, lines, 1, from_line, 0, to_line, 0,    \
                                      event);                                                                               \
  }
BOXES_BETWEEN(__local, __global)
BOXES_BETWEEN(__global, __local)
