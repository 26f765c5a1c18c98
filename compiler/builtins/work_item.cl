// Work-item functions (OpenCL C 3.0 §6.15.1) on top of the primitives.
//
// All three dimensions are read and one selected: the primitives are pure, so a constant dimension leaves one
// of them, and a variable one costs selects and no branch.
#include "builtins.h"

#define BY_DIMENSION(name, outside)                                                         \
  WEFT_BUILTIN size_t get_##name(uint dimension) {                                          \
    const size_t x = __weft_##name##_x(), y = __weft_##name##_y(), z = __weft_##name##_z(); \
    size_t value = outside;                                                                 \
    value = dimension == 2 ? z : value;                                                     \
    value = dimension == 1 ? y : value;                                                     \
    return dimension == 0 ? x : value;                                                      \
  }

BY_DIMENSION(global_size, 1)
BY_DIMENSION(global_id, 0)
BY_DIMENSION(global_offset, 0)
BY_DIMENSION(local_size, 1)
BY_DIMENSION(enqueued_local_size, 1)
BY_DIMENSION(local_id, 0)
BY_DIMENSION(num_groups, 1)
BY_DIMENSION(group_id, 0)

WEFT_BUILTIN uint get_work_dim(void) { return __weft_work_dim(); }

WEFT_BUILTIN size_t get_global_linear_id(void) {
  const size_t x = __weft_global_id_x() - __weft_global_offset_x();
  const size_t y = __weft_global_id_y() - __weft_global_offset_y();
  const size_t z = __weft_global_id_z() - __weft_global_offset_z();
  return (z * __weft_global_size_y() + y) * __weft_global_size_x() + x;
}

WEFT_BUILTIN size_t get_local_linear_id(void) {
  // At most CL_DEVICE_MAX_WORK_GROUP_SIZE: 32 bits serve.
  return (__weft_local_id_z() * __weft_local_size_y() + __weft_local_id_y()) * __weft_local_size_x() +
         __weft_local_id_x();
}
