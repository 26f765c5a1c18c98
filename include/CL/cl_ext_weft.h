/* Weft's OpenCL extensions: cl_weft_performance_counters, version 1.0.0.
 *
 * docs/cl_weft_performance_counters.md is its specification. cl_ext_weft.hpp makes it shorter to use from C++.
 */
#ifndef CL_EXT_WEFT_H_
#define CL_EXT_WEFT_H_

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

#define cl_weft_performance_counters 1
#define CL_WEFT_PERFORMANCE_COUNTERS_EXTENSION_NAME "cl_weft_performance_counters"

/* clGetDeviceInfo */
#define CL_DEVICE_PERFORMANCE_COUNTERS_WEFT             0x57460000 /* cl_performance_counter_weft[] */
#define CL_DEVICE_COUNTED_COMPUTE_CAPABILITY_WEFT       0x57460001 /* cl_version */

/* clCreateCommandQueueWithProperties */
#define CL_QUEUE_PERFORMANCE_COUNTERS_WEFT              0x57460010 /* const cl_performance_counter_config_weft* */

/* clGetKernelWorkGroupInfo */
#define CL_KERNEL_REGISTERS_WEFT                        0x57460030 /* cl_uint */

/* clGetEventProfilingInfo */
#define CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_WEFT  0x57460020 /* cl_performance_counter_result_weft[counters] */
#define CL_PROFILING_COMMAND_SOURCE_FILES_WEFT          0x57460021 /* char[], names one after the other, each with its NUL */
#define CL_PROFILING_COMMAND_SOURCE_LINES_WEFT          0x57460022 /* cl_source_line_weft[lines] */
#define CL_PROFILING_COMMAND_LINE_COUNTERS_WEFT         0x57460023 /* cl_performance_counter_result_weft[lines][counters] */

typedef cl_uint cl_performance_counter_unit_weft;
#define CL_PERFORMANCE_COUNTER_UNIT_EVENTS_WEFT         0
#define CL_PERFORMANCE_COUNTER_UNIT_BYTES_WEFT          1
#define CL_PERFORMANCE_COUNTER_UNIT_PERCENT_WEFT        2

typedef cl_uint cl_performance_counter_scope_weft;
#define CL_PERFORMANCE_COUNTER_SCOPE_COMMAND_WEFT       0 /* of a command alone */
#define CL_PERFORMANCE_COUNTER_SCOPE_LINE_WEFT          1 /* of a command, and of each source line of it */

typedef cl_uint cl_performance_counter_storage_weft;
#define CL_PERFORMANCE_COUNTER_STORAGE_UINT64_WEFT      0
#define CL_PERFORMANCE_COUNTER_STORAGE_FLOAT64_WEFT     1

#define CL_PERFORMANCE_COUNTER_NAME_SIZE_WEFT           128
#define CL_PERFORMANCE_COUNTER_DESCRIPTION_SIZE_WEFT    256

typedef struct _cl_performance_counter_weft {
  cl_uint id; /* for cl_performance_counter_config_weft; the same while the process runs */
  cl_performance_counter_unit_weft unit;
  cl_performance_counter_scope_weft scope;
  cl_performance_counter_storage_weft storage;
  char name[CL_PERFORMANCE_COUNTER_NAME_SIZE_WEFT];
  char description[CL_PERFORMANCE_COUNTER_DESCRIPTION_SIZE_WEFT];
} cl_performance_counter_weft;

/* Read while the queue is created; not kept. */
typedef struct _cl_performance_counter_config_weft {
  cl_uint num_counters;
  const cl_uint* ids;
} cl_performance_counter_config_weft;

/* Which one is the counter's storage. */
typedef union _cl_performance_counter_result_weft {
  cl_ulong uint64;
  cl_double float64;
} cl_performance_counter_result_weft;

typedef struct _cl_source_line_weft {
  cl_uint file; /* counts the names of CL_PROFILING_COMMAND_SOURCE_FILES_WEFT from 0 */
  cl_uint line; /* 0: not known */
} cl_source_line_weft;

#ifdef __cplusplus
}
#endif

#endif
