// Kernels: arguments, information, cloning (OpenCL 3.0 API §5.9).
#include <algorithm>

#include "api/fixture.h"
#include "api/version.h"

namespace weft::conformance {
namespace {

class KernelTest : public ApiTest {
 protected:
  Program program = session.build(
      "typedef struct { int a; float b; } pair_t;\n"
      "kernel __attribute__((reqd_work_group_size(8, 4, 1))) void fixed(global int* a) { a[get_global_id(0)] "
      "= 1; }\n"
      "kernel void args(global const float* restrict in, constant int* table, local uint2* scratch, pair_t "
      "pair,\n"
      "                 volatile global uchar* bytes, float4 v, unsigned long n) {\n"
      "  bytes[0] = in[0] + table[0] + pair.a + v.x + n; scratch[0] = (uint2)(1, 2); }\n"
      "kernel void empty(void) {}\n",
      "-cl-kernel-arg-info");

  std::string arg_string(const Kernel& kernel, cl_uint index, cl_kernel_arg_info what) {
    char text[64] = {};
    check(clGetKernelArgInfo(kernel, index, what, sizeof text, text, nullptr), "clGetKernelArgInfo");
    return text;
  }
  template <typename T>
  T arg_value(const Kernel& kernel, cl_uint index, cl_kernel_arg_info what) {
    T value{};
    check(clGetKernelArgInfo(kernel, index, what, sizeof value, &value, nullptr), "clGetKernelArgInfo");
    return value;
  }
};

TEST_F(KernelTest, Info) {
  const Kernel kernel = session.kernel(program, "args");
  char name[16] = {};
  cl_uint count = 0;
  cl_program of = nullptr;
  ASSERT_EQ(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof of, &of, nullptr), CL_SUCCESS);
  EXPECT_STREQ(name, "args");
  EXPECT_EQ(count, 7u);
  EXPECT_EQ(of, program.get());
}

TEST_F(KernelTest, ArgumentInfo) {
  const Kernel kernel = session.kernel(program, "args");
  const char* names[] = {"in", "table", "scratch", "pair", "bytes", "v", "n"};
  for (cl_uint i = 0; i < 7; ++i) EXPECT_EQ(arg_string(kernel, i, CL_KERNEL_ARG_NAME), names[i]);
  EXPECT_EQ(arg_string(kernel, 0, CL_KERNEL_ARG_TYPE_NAME), "float*");
  EXPECT_EQ(arg_string(kernel, 2, CL_KERNEL_ARG_TYPE_NAME), "uint2*");
  EXPECT_EQ(arg_string(kernel, 5, CL_KERNEL_ARG_TYPE_NAME), "float4");
  EXPECT_EQ(arg_string(kernel, 6, CL_KERNEL_ARG_TYPE_NAME), "ulong");
  using Address = cl_kernel_arg_address_qualifier;
  EXPECT_EQ(arg_value<Address>(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER),
            Address{CL_KERNEL_ARG_ADDRESS_GLOBAL});
  EXPECT_EQ(arg_value<Address>(kernel, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER),
            Address{CL_KERNEL_ARG_ADDRESS_CONSTANT});
  EXPECT_EQ(arg_value<Address>(kernel, 2, CL_KERNEL_ARG_ADDRESS_QUALIFIER),
            Address{CL_KERNEL_ARG_ADDRESS_LOCAL});
  EXPECT_EQ(arg_value<Address>(kernel, 3, CL_KERNEL_ARG_ADDRESS_QUALIFIER),
            Address{CL_KERNEL_ARG_ADDRESS_PRIVATE});
  EXPECT_EQ(arg_value<cl_kernel_arg_access_qualifier>(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER),
            cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_NONE});
  const auto qualifiers = arg_value<cl_kernel_arg_type_qualifier>(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER);
  EXPECT_EQ(qualifiers, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT});
  EXPECT_EQ(arg_value<cl_kernel_arg_type_qualifier>(kernel, 4, CL_KERNEL_ARG_TYPE_QUALIFIER),
            cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_VOLATILE});
  EXPECT_EQ(clGetKernelArgInfo(kernel, 7, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr), CL_INVALID_ARG_INDEX);
}

TEST_F(KernelTest, WorkGroupInfo) {
  const Kernel kernel = session.kernel(program, "fixed");
  std::size_t required[3] = {};
  ASSERT_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                                     required, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(required[0], 8u);
  EXPECT_EQ(required[1], 4u);
  EXPECT_EQ(required[2], 1u);
  std::size_t size = 0;
  ASSERT_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr),
            CL_SUCCESS);
  EXPECT_GE(size, 32u);
  std::size_t multiple = 0;
  ASSERT_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                     sizeof multiple, &multiple, nullptr),
            CL_SUCCESS);
  if (testing_weft()) {
    EXPECT_EQ(multiple, 32u);
  }
  std::size_t of_args[3] = {9, 9, 9};
  ASSERT_EQ(clGetKernelWorkGroupInfo(session.kernel(program, "args"), device,
                                     CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof of_args, of_args, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(of_args[0], 0u);
}

TEST_F(KernelTest, LocalMemorySizeGrowsWithArguments) {
  const Kernel kernel = session.kernel(program, "args");
  check(clSetKernelArg(kernel, 2, 1024, nullptr), "set");
  cl_ulong local = 0;
  ASSERT_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, nullptr),
            CL_SUCCESS);
  EXPECT_GE(local, 1024u);
}

TEST_F(KernelTest, WrongArguments) {
  const Kernel kernel = session.kernel(program, "args");
  const cl_float4 v{};
  const cl_mem nothing = nullptr;
  const Mem buffer = session.buffer(64);
  const cl_mem raw = buffer;
  EXPECT_EQ(clSetKernelArg(kernel, 7, sizeof raw, &raw), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(kernel, 5, sizeof(float), &v), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof raw + 1, &raw), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 0, nullptr), has_opencl_3_1(device) ? CL_SUCCESS : CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 16, &v), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel, 5, sizeof v, nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof nothing, &nothing), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof raw, nullptr), CL_SUCCESS);
}

TEST_F(KernelTest, LaunchWithoutAnArgument) {
  const Kernel kernel = session.kernel(program, "fixed");
  const std::size_t global[] = {8, 4};
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, global, 0, nullptr, nullptr),
            CL_INVALID_KERNEL_ARGS);
}

TEST_F(KernelTest, NullBufferIsANullPointer) {
  const Program p =
      session.build("kernel void k(global int* maybe, global int* out) { out[0] = maybe ? 1 : 2; }");
  const Kernel kernel = session.kernel(p, "k");
  const Mem out = session.buffer(4);
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr), "null");
  set_arg(kernel, 1, out);
  session.finish(session.enqueue(kernel, {{1}}));
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], 2);
}

TEST_F(KernelTest, NoKernelOfThatName) {
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateKernel(program, "absent", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_KERNEL_NAME);
  EXPECT_EQ(clCreateKernel(program, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(KernelTest, AllKernelsOfAProgram) {
  cl_uint count = 0;
  ASSERT_EQ(clCreateKernelsInProgram(program, 0, nullptr, &count), CL_SUCCESS);
  EXPECT_EQ(count, 3u);
  cl_kernel kernels[3] = {};
  EXPECT_EQ(clCreateKernelsInProgram(program, 2, kernels, nullptr), CL_INVALID_VALUE);
  ASSERT_EQ(clCreateKernelsInProgram(program, 3, kernels, nullptr), CL_SUCCESS);
  for (cl_kernel kernel : kernels) clReleaseKernel(kernel);
}

TEST_F(KernelTest, CloneTakesArgumentsAlong) {
  NOT_ON_POCL("clones share their arguments");
  const Program p = session.build("kernel void set(global int* a, int v) { a[0] = v; }");
  const Kernel first = session.kernel(p, "set");
  const Mem out = session.buffer(4);
  set_args(first, out, cl_int{3});
  cl_int error = CL_SUCCESS;
  const Kernel second(clCloneKernel(first, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  set_arg(first, 1, cl_int{4});
  session.finish(session.enqueue(second, {{1}}));
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], 3);
}

TEST_F(KernelTest, KeepsItsBufferAlive) {
  const Program p = session.build("kernel void copy(global int* a, global int* b) { b[0] = a[0]; }");
  const Kernel kernel = session.kernel(p, "copy");
  const Mem out = session.buffer(4);
  Mem in = session.upload(std::vector<cl_int>{77});
  set_args(kernel, in, out);
  const Event event = session.enqueue(kernel, {{1}});
  in.reset();
  session.finish(event);
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], 77);
}

TEST_F(KernelTest, OutlivesItsProgramsHandle) {
  Program p = session.build("kernel void set(global int* a) { a[0] = 6; }");
  const Kernel kernel = session.kernel(p, "set");
  p.reset();
  const Mem out = session.buffer(4);
  session.launch(kernel, {{1}}, out);
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], 6);
}

TEST_F(KernelTest, EmptyKernelRuns) { session.launch(session.kernel(program, "empty"), {{100}}); }

}  // namespace
}  // namespace weft::conformance
