// Enqueuing kernels on the device (OpenCL C 3.0 §6.15.17), under the names that Clang calls. Handles of queues and events are 64 bits;
// a block's kernel is its number, in the place of an address (linker/blocks.h).
#include "builtins.h"

#define NUMBER_OF(block_kernel) ((uint)(ulong)(block_kernel))
#define NO_BLOCK 0xffffffffu
#define WARP_SIZE 32u

// As abi::DeviceRange and abi::EnqueueRecord have them (device/kernel_abi.h).
typedef struct {
  uint work_dim;
  size_t offset[3];
  size_t global_size[3];
  size_t local_size[3];
} Range;
typedef struct {
  ulong queue;
  const __generic Range* range;
  const __generic void* literal;
  const __generic ulong* waits;
  __generic ulong* event;
  const __generic size_t* local_bytes;
  uint flags, block, num_waits, num_locals;
} Record;
// abi::QueueFunction.
enum { DEFAULT_QUEUE, CREATE_USER_EVENT, RETAIN_EVENT, RELEASE_EVENT, IS_VALID_EVENT, SET_USER_EVENT_STATUS, CAPTURE_PROFILING, WORK_GROUP_SIZE };

int __weft_enqueue(const __private Record* record);
ulong __weft_queue_call(uint function, ulong first, ulong second);

int __enqueue_kernel_events_varargs(ulong queue, uint flags, const __private Range* range, uint num_waits, const __generic ulong* waits,
                                    __generic ulong* event, __generic void* block_kernel, __generic void* literal, uint num_locals,
                                    const __private size_t* local_bytes) {
  const Record record = {queue, range, literal, waits, event, local_bytes, flags, NUMBER_OF(block_kernel), num_waits, num_locals};
  return __weft_enqueue(&record);
}
int __enqueue_kernel_varargs(ulong queue, uint flags, const __private Range* range, __generic void* block_kernel, __generic void* literal,
                             uint num_locals, const __private size_t* local_bytes) {
  return __enqueue_kernel_events_varargs(queue, flags, range, 0, 0, 0, block_kernel, literal, num_locals, local_bytes);
}
int __enqueue_kernel_basic_events(ulong queue, uint flags, const __private Range* range, uint num_waits, const __generic ulong* waits,
                                  __generic ulong* event, __generic void* block_kernel, __generic void* literal) {
  return __enqueue_kernel_events_varargs(queue, flags, range, num_waits, waits, event, block_kernel, literal, 0, 0);
}
int __enqueue_kernel_basic(ulong queue, uint flags, Range range, __generic void* block_kernel, __generic void* literal) {
  return __enqueue_kernel_events_varargs(queue, flags, &range, 0, 0, 0, block_kernel, literal, 0, 0);
}

uint __get_kernel_work_group_size_impl(__generic void* block_kernel, __generic void* literal) {
  return (uint)__weft_queue_call(WORK_GROUP_SIZE, NUMBER_OF(block_kernel), 0);
}
uint __get_kernel_preferred_work_group_size_multiple_impl(__generic void* block_kernel, __generic void* literal) { return WARP_SIZE; }
uint __get_kernel_max_sub_group_size_for_ndrange_impl(const __private Range* range, __generic void* block_kernel, __generic void* literal) {
  return WARP_SIZE;
}
uint __get_kernel_sub_group_count_for_ndrange_impl(const __private Range* range, __generic void* block_kernel, __generic void* literal) {
  const ulong most = __weft_queue_call(WORK_GROUP_SIZE, NUMBER_OF(block_kernel), 0);
  ulong items = 1;
  for (uint d = 0; d < range->work_dim; ++d) items = min(most, items * range->local_size[d]);
  // Without a local size it may be any.
  return (uint)(((items ? items : most) + WARP_SIZE - 1) / WARP_SIZE);
}

// Functions of queues and events, by the names that Clang makes of their types, which are plain numbers here (frontend/plain_types.h).
ulong get_default_queue_(void) __asm__("_Z17get_default_queuev");
ulong create_user_event_(void) __asm__("_Z17create_user_eventv");
void retain_event_(ulong event) __asm__("_Z12retain_event12ocl_clkevent");
void release_event_(ulong event) __asm__("_Z13release_event12ocl_clkevent");
bool is_valid_event_(ulong event) __asm__("_Z14is_valid_event12ocl_clkevent");
void set_user_event_status_(ulong event, int status) __asm__("_Z21set_user_event_status12ocl_clkeventi");
void capture_profiling_(ulong event, int name, __global void* value) __asm__("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v");
int enqueue_marker_(ulong queue, uint num_waits, const __generic ulong* waits, __generic ulong* event)
    __asm__("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_");

ulong get_default_queue_(void) { return __weft_queue_call(DEFAULT_QUEUE, 0, 0); }
ulong create_user_event_(void) { return __weft_queue_call(CREATE_USER_EVENT, 0, 0); }
void retain_event_(ulong event) { __weft_queue_call(RETAIN_EVENT, event, 0); }
void release_event_(ulong event) { __weft_queue_call(RELEASE_EVENT, event, 0); }
bool is_valid_event_(ulong event) { return __weft_queue_call(IS_VALID_EVENT, event, 0) != 0; }
void set_user_event_status_(ulong event, int status) { __weft_queue_call(SET_USER_EVENT_STATUS, event, (ulong)(long)status); }
void capture_profiling_(ulong event, int name, __global void* value) {
  if (name == CLK_PROFILING_COMMAND_EXEC_TIME) __weft_queue_call(CAPTURE_PROFILING, event, (ulong)value);
}
int enqueue_marker_(ulong queue, uint num_waits, const __generic ulong* waits, __generic ulong* event) {
  const Record record = {queue, 0, 0, waits, event, 0, 0, NO_BLOCK, num_waits, 0};
  return __weft_enqueue(&record);
}

WEFT_HELPER Range range_of(uint dimensions, const __private size_t* offset, const __private size_t* global_size, const __private size_t* local_size) {
  Range range;
  range.work_dim = dimensions;
  for (uint d = 0; d < 3; ++d) {
    const bool is_there = d < dimensions;
    range.offset[d] = is_there && offset ? offset[d] : 0;
    range.global_size[d] = is_there ? global_size[d] : 1;
    range.local_size[d] = !local_size ? 0 : is_there ? local_size[d] : 1;
  }
  return range;
}

WEFT_BUILTIN Range ndrange_1D(size_t global_size) { return range_of(1, 0, &global_size, 0); }
WEFT_BUILTIN Range ndrange_1D(size_t global_size, size_t local_size) { return range_of(1, 0, &global_size, &local_size); }
WEFT_BUILTIN Range ndrange_1D(size_t offset, size_t global_size, size_t local_size) { return range_of(1, &offset, &global_size, &local_size); }
#define RANGES(n)                                                                                                     \
  WEFT_BUILTIN Range ndrange_##n##D(const __private size_t* global_size) { return range_of(n, 0, global_size, 0); }   \
  WEFT_BUILTIN Range ndrange_##n##D(const __private size_t* global_size, const __private size_t* local_size) {        \
    return range_of(n, 0, global_size, local_size);                                                                   \
  }                                                                                                                   \
  WEFT_BUILTIN Range ndrange_##n##D(const __private size_t* offset, const __private size_t* global_size,              \
                                    const __private size_t* local_size) {                                             \
    return range_of(n, offset, global_size, local_size);                                                              \
  }
RANGES(2)
RANGES(3)
