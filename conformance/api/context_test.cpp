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

}  // namespace
}  // namespace weft::conformance
