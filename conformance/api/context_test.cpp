// Contexts (OpenCL 3.0 API §4.4).
#include "api/fixture.h"

namespace weft::conformance {
namespace {

TEST(Context, Info) {
  const Session session(test_device());
  cl_uint devices = 0;
  check(clGetContextInfo(session.context(), CL_CONTEXT_NUM_DEVICES, sizeof devices, &devices, nullptr),
        "info");
  EXPECT_EQ(devices, 1u);
  cl_device_id device = nullptr;
  check(clGetContextInfo(session.context(), CL_CONTEXT_DEVICES, sizeof device, &device, nullptr), "info");
  EXPECT_EQ(device, test_device());
}

TEST(Context, PropertiesComeBack) {
  const cl_device_id device = test_device();
  const cl_context_properties wanted[] = {CL_CONTEXT_PLATFORM,
                                          reinterpret_cast<cl_context_properties>(test_platform()), 0};
  cl_int error = CL_SUCCESS;
  const Context context(clCreateContext(wanted, 1, &device, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  cl_context_properties got[3] = {};
  ASSERT_EQ(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof got, got, nullptr), CL_SUCCESS);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(got[i], wanted[i]);
}

TEST(Context, FromType) {
  const cl_context_properties wanted[] = {CL_CONTEXT_PLATFORM,
                                          reinterpret_cast<cl_context_properties>(test_platform()), 0};
  cl_int error = CL_SUCCESS;
  const Context context(clCreateContextFromType(wanted, CL_DEVICE_TYPE_DEFAULT, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
}

TEST(Context, FromTypeWithoutADevice) {
  NOT_ON_POCL("creates an empty context");
  const cl_context_properties wanted[] = {CL_CONTEXT_PLATFORM,
                                          reinterpret_cast<cl_context_properties>(test_platform()), 0};
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateContextFromType(wanted, CL_DEVICE_TYPE_CUSTOM, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_DEVICE_NOT_FOUND);
}

TEST(Context, BadArguments) {
  const cl_device_id device = test_device();
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateContext(nullptr, 0, &device, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateContext(nullptr, 1, &device, nullptr, &error, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  const cl_context_properties unknown[] = {0x7777, 1, 0};
  EXPECT_EQ(clCreateContext(unknown, 1, &device, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
}

TEST(Context, CountsReferences) {
  const Session session(test_device());
  cl_uint count = 0;
  ASSERT_EQ(clRetainContext(session.context()), CL_SUCCESS);
  ASSERT_EQ(clGetContextInfo(session.context(), CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, nullptr),
            CL_SUCCESS);
  EXPECT_GE(count, 2u);
  EXPECT_EQ(clReleaseContext(session.context()), CL_SUCCESS);
}

void CL_CALLBACK count_call(cl_context, void* data) { ++*static_cast<int*>(data); }

TEST(Context, DestructorCallback) {
  NOT_ON_POCL("contexts hold references of their own, so the callback comes late");
  const cl_device_id device = test_device();
  int calls = 0;
  cl_int error = CL_SUCCESS;
  Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  ASSERT_EQ(clSetContextDestructorCallback(context, count_call, &calls), CL_SUCCESS);
  EXPECT_EQ(calls, 0);
  context.reset();
  EXPECT_EQ(calls, 1);
}

/// One value of an object's query.
template <class T, class Get, class Object>
T told(Get get, Object object, cl_uint name) {
  T value{};
  check(get(object, name, sizeof value, &value, nullptr), "info");
  return value;
}

// What is attached to a context keeps it, and a program that asks for it may use it as before (clReleaseContext): pyopencl
// and the C++ bindings retain what a query gives.
TEST(Context, LivesWithWhatIsAttachedToIt) {
  const cl_device_id device = test_device();
  Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
  ASSERT_TRUE(context);
  const char* source = "kernel void k(global int* a) { a[get_global_id(0)] += 1; }";
  Program program(clCreateProgramWithSource(context, 1, &source, nullptr, nullptr));
  ASSERT_EQ(clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr), CL_SUCCESS);
  const Kernel kernel(clCreateKernel(program, "k", nullptr));
  program.reset();
  context.reset();

  const auto again = told<cl_context>(clGetKernelInfo, cl_kernel(kernel), CL_KERNEL_CONTEXT);
  EXPECT_EQ(told<cl_uint>(clGetContextInfo, again, CL_CONTEXT_NUM_DEVICES), 1u);
  ASSERT_EQ(clRetainContext(again), CL_SUCCESS);
  ASSERT_EQ(clReleaseContext(again), CL_SUCCESS);
  const auto source_of = told<cl_program>(clGetKernelInfo, cl_kernel(kernel), CL_KERNEL_PROGRAM);
  EXPECT_EQ(told<cl_uint>(clGetProgramInfo, source_of, CL_PROGRAM_NUM_DEVICES), 1u);
  EXPECT_EQ(told<cl_context>(clGetProgramInfo, source_of, CL_PROGRAM_CONTEXT), again);

  // Objects made of it as before: queue, buffer and event, of which the event alone is left in the end.
  std::vector<cl_int> values(64, 1);
  Queue queue(clCreateCommandQueueWithProperties(again, device, nullptr, nullptr));
  ASSERT_TRUE(queue);
  Mem whole(clCreateBuffer(again, CL_MEM_COPY_HOST_PTR, 256, values.data(), nullptr));
  const cl_buffer_region region = {0, 256};
  const Mem part(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  whole.reset();
  const auto parent = told<cl_mem>(clGetMemObjectInfo, cl_mem(part), CL_MEM_ASSOCIATED_MEMOBJECT);
  EXPECT_EQ(told<std::size_t>(clGetMemObjectInfo, parent, CL_MEM_SIZE), 256u);
  ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &part), CL_SUCCESS);
  const std::size_t size = 64;
  cl_event made = nullptr;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, &made), CL_SUCCESS);
  const Event event(made);
  queue.reset();
  const auto its_queue = told<cl_command_queue>(clGetEventInfo, cl_event(event), CL_EVENT_COMMAND_QUEUE);
  ASSERT_EQ(clEnqueueReadBuffer(its_queue, part, CL_TRUE, 0, 256, values.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(values, std::vector<cl_int>(64, 2));
}

TEST(Context, WhatIsAttachedHasNoReferenceToGiveAway) {
  NOT_ON_POCL("counts what is attached as references of the application");
  const cl_device_id device = test_device();
  Context context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr));
  const Mem memory(clCreateBuffer(context, 0, 256, nullptr, nullptr));
  context.reset();
  const auto again = told<cl_context>(clGetMemObjectInfo, cl_mem(memory), CL_MEM_CONTEXT);
  EXPECT_EQ(clReleaseContext(again), CL_INVALID_CONTEXT);
  EXPECT_EQ(told<cl_uint>(clGetContextInfo, again, CL_CONTEXT_NUM_DEVICES), 1u);
}

}  // namespace
}  // namespace weft::conformance
