// Clocks (cl_khr_kernel_clock): the processor's counter of time, which is one for all scopes.
#include "builtins.h"

#define CLOCK(scope)                                                                        \
  WEFT_BUILTIN ulong clock_read_##scope(void) { return __builtin_readcyclecounter(); }      \
  WEFT_BUILTIN uint2 clock_read_hilo_##scope(void) { return as_uint2((ulong)__builtin_readcyclecounter()); }
CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
