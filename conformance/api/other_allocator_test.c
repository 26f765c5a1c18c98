/* The platform in a process whose C++ library a module with an allocator of its own has brought. In C, since a program in C++ would bring
   the library itself. Argument: the module. */
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>

static int check(cl_int status, const char* what) {
  if (status != CL_SUCCESS) fprintf(stderr, "%s: %d\n", what, status);
  return status == CL_SUCCESS;
}

int main(int count, char** arguments) {
  if (count < 2 || !dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL)) {
    fprintf(stderr, "no module: %s\n", dlerror());
    return 1;
  }
  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  if (!check(clGetPlatformIDs(1, &platform, NULL), "platform")) return 1;
  if (!check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device")) return 1;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  if (!check(status, "context")) return 1;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  if (!check(status, "queue")) return 1;
  const char* source = "kernel void squares(global int* out) { out[get_global_id(0)] = get_global_id(0) * get_global_id(0); }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
  if (!check(status, "program") || !check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build")) return 1;
  cl_kernel kernel = clCreateKernel(program, "squares", &status);
  if (!check(status, "kernel")) return 1;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 256 * sizeof(cl_int), NULL, &status);
  if (!check(status, "buffer") || !check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument")) return 1;
  size_t size = 256;
  cl_int result[256];
  if (!check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL), "launch")) return 1;
  if (!check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL), "read")) return 1;
  for (int i = 0; i < 256; ++i)
    if (result[i] != i * i) return fprintf(stderr, "%d: %d\n", i, result[i]), 1;
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
