/* cl_weft_performance_counters from C: which of a transpose's two accesses a GPU would not coalesce, read by source line.
 *
 * Runs on the first device that has the extension; the exit status tells whether the values are the known ones.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext_weft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(code) check((code), #code)
static void check(cl_int code, const char* call) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "%s: error %d\n", call, code);
  exit(1);
}

static const char* const source =
    "kernel void transpose(global float* out, global const float* in, int width) {\n"
    "  const int x = get_global_id(0), y = get_global_id(1);\n"
    "  const float value = in[y * width + x];\n"
    "  out[x * width + y] = value;\n"
    "}\n";

/* The counters that are asked for, in the order of their results. */
enum { LOADS, LOAD_TRANSACTIONS, STORE_TRANSACTIONS, STORE_IDEAL, STORE_EFFICIENCY, ASKED };
static const char* const names[ASKED] = {"gld_request", "gld_transactions", "gst_transactions", "weft_gst_transactions_ideal",
                                         "gst_efficiency"};

static cl_device_id find_device(void) {
  cl_platform_id platforms[16];
  cl_uint num_platforms = 0, i;
  CHECK(clGetPlatformIDs(16, platforms, &num_platforms));
  for (i = 0; i < num_platforms && i < 16; ++i) {
    cl_device_id device;
    size_t size = 0;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) continue;
    if (clGetDeviceInfo(device, CL_DEVICE_PERFORMANCE_COUNTERS_WEFT, 0, NULL, &size) == CL_SUCCESS && size > 0) return device;
  }
  fprintf(stderr, "no device has %s\n", CL_WEFT_PERFORMANCE_COUNTERS_EXTENSION_NAME);
  exit(1);
}

/* The queue's property needs numbers, which the device's list gives for names. */
static void find_ids(cl_device_id device, cl_uint ids[ASKED]) {
  size_t size = 0, i, n;
  cl_performance_counter_weft* list;
  CHECK(clGetDeviceInfo(device, CL_DEVICE_PERFORMANCE_COUNTERS_WEFT, 0, NULL, &size));
  list = malloc(size);
  CHECK(clGetDeviceInfo(device, CL_DEVICE_PERFORMANCE_COUNTERS_WEFT, size, list, NULL));
  for (n = 0; n < ASKED; ++n) {
    for (i = 0; i < size / sizeof *list && strcmp(list[i].name, names[n]) != 0; ++i) continue;
    if (i == size / sizeof *list) {
      fprintf(stderr, "no counter %s\n", names[n]);
      exit(1);
    }
    ids[n] = list[i].id;
  }
  free(list);
}

int main(void) {
  const cl_int width = 512;
  const size_t global[2] = {512, 512}, local[2] = {32, 8};
  cl_int error;
  cl_uint ids[ASKED];
  const cl_device_id device = find_device();
  cl_performance_counter_config_weft config = {ASKED, ids};
  const cl_queue_properties properties[] = {CL_QUEUE_PERFORMANCE_COUNTERS_WEFT, (cl_queue_properties)&config, 0};
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernel;
  cl_mem in, out;
  cl_event event;
  cl_performance_counter_result_weft total[ASKED], *of_lines;
  cl_source_line_weft* lines;
  size_t size = 0, i, num_lines;
  int right;

  check(error, "clCreateContext");
  find_ids(device, ids);
  queue = clCreateCommandQueueWithProperties(context, device, properties, &error);
  check(error, "clCreateCommandQueueWithProperties");
  program = clCreateProgramWithSource(context, 1, (const char**)&source, NULL, &error);
  check(error, "clCreateProgramWithSource");
  CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  kernel = clCreateKernel(program, "transpose", &error);
  check(error, "clCreateKernel");
  in = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_float) * 512 * 512, NULL, &error);
  check(error, "clCreateBuffer");
  out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_float) * 512 * 512, NULL, &error);
  check(error, "clCreateBuffer");
  CHECK(clSetKernelArg(kernel, 0, sizeof out, &out));
  CHECK(clSetKernelArg(kernel, 1, sizeof in, &in));
  CHECK(clSetKernelArg(kernel, 2, sizeof width, &width));
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, &event));
  CHECK(clFinish(queue));

  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_WEFT, sizeof total, total, NULL));
  printf("%-8s %12s %12s %12s %12s\n", "", "loads", "load trans.", "store trans.", "would do");
  printf("%-8s %12llu %12llu %12llu %12llu\n", "launch", (unsigned long long)total[LOADS].uint64,
         (unsigned long long)total[LOAD_TRANSACTIONS].uint64, (unsigned long long)total[STORE_TRANSACTIONS].uint64,
         (unsigned long long)total[STORE_IDEAL].uint64);
  /* 9.0: a warp's 32 loads are 4 sectors of 32 bytes, its 32 stores one each, of which an eighth is used. */
  right = total[LOADS].uint64 == 8192 && total[LOAD_TRANSACTIONS].uint64 == 4 * 8192 &&
          total[STORE_TRANSACTIONS].uint64 == 32 * 8192 && total[STORE_IDEAL].uint64 == 4 * 8192 &&
          total[STORE_EFFICIENCY].float64 == 12.5;

  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_SOURCE_LINES_WEFT, 0, NULL, &size));
  num_lines = size / sizeof *lines;
  lines = malloc(size);
  of_lines = malloc(num_lines * sizeof total);
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_SOURCE_LINES_WEFT, size, lines, NULL));
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_LINE_COUNTERS_WEFT, num_lines * sizeof total, of_lines, NULL));
  for (i = 0; i < num_lines; ++i) {
    const cl_performance_counter_result_weft* const line = of_lines + i * ASKED;
    printf("line %-3u %12llu %12llu %12llu %12llu\n", lines[i].line, (unsigned long long)line[LOADS].uint64,
           (unsigned long long)line[LOAD_TRANSACTIONS].uint64, (unsigned long long)line[STORE_TRANSACTIONS].uint64,
           (unsigned long long)line[STORE_IDEAL].uint64);
    right = right && line[LOADS].uint64 == (lines[i].line == 3 ? 8192 : 0);
    right = right && line[STORE_TRANSACTIONS].uint64 == (lines[i].line == 4 ? 32 * 8192 : 0);
  }
  free(lines);
  free(of_lines);
  clReleaseEvent(event);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  puts(right ? "as known" : "not as known");
  return right ? 0 : 1;
}
