// Which space a generic pointer points into (OpenCL C 3.0 §6.15.13, address space qualifier functions). Mostly known when the
// program is compiled; else the address tells: a group's local memory, a work-item's private memory (warp state and the
// thread's stack), and all else is global.
#include "builtins.h"

enum { PRIVATE = 0, GLOBAL = 1, LOCAL = 3, GENERIC = 4 };  // compiler/simt/ir/address_spaces.h

WEFT_HELPER uint space_of(const __generic void* pointer) {
  const uint known = __weft_known_space(pointer);
  if (known != GENERIC) return known;
  const ulong address = (ulong)pointer;
  if (address - __weft_local_memory() < __weft_local_memory_bytes()) return LOCAL;
  if (address - __weft_scratch() < __weft_scratch_bytes()) return PRIVATE;
  return __weft_stack_end() - address < __weft_stack_bytes() ? PRIVATE : GLOBAL;
}

// What Clang calls for to_global() and so on: these take a pointer to any type.
__global void* __to_global(__generic void* pointer) { return space_of(pointer) == GLOBAL ? (__global void*)pointer : 0; }
__local void* __to_local(__generic void* pointer) { return space_of(pointer) == LOCAL ? (__local void*)pointer : 0; }
__private void* __to_private(__generic void* pointer) { return space_of(pointer) == PRIVATE ? (__private void*)pointer : 0; }

#define FENCE(qualifiers)                                                                \
  WEFT_BUILTIN cl_mem_fence_flags get_fence(qualifiers __generic void* pointer) {        \
    const uint space = space_of(pointer);                                                \
    return space == LOCAL ? CLK_LOCAL_MEM_FENCE : space == GLOBAL ? CLK_GLOBAL_MEM_FENCE : 0; \
  }
FENCE()
FENCE(const)
