// Variables of a program in global memory (OpenCL C 3.0 §6.7.3, __opencl_c_program_scope_global_variables).
#include "api/fixture.h"

namespace weft::conformance {
namespace {

class ProgramVariables : public ApiTest {
 protected:
  void SetUp() override {
    std::size_t most = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof most, &most, nullptr) != CL_SUCCESS || most == 0)
      GTEST_SKIP() << "the device has no program-scope variables in global memory";
  }

  cl_int first_of(const Program& program, const char* name) {
    const Mem out = session.buffer(64 * sizeof(cl_int));
    session.launch(session.kernel(program, name), {{64}, {32}}, out);
    return session.download<cl_int>(out, 64)[0];
  }
};

constexpr char kSource[] = R"(
struct pair { char small; global int* to; float f; };
global int counter = 5;
global int table[40] = {1, 2, 3};
global int* global middle = table + 1;
global struct pair both = {7, &counter, 2.5f};
global uchar3 never_set;
int next(void) {
  static global int calls = 100;
  return atomic_add(&calls, 1);
}
kernel void write(global int* out) {
  atomic_add(&counter, 1);
  if (get_global_id(0) == 0) {
    table[1] = table[0] + table[2];
    out[0] = *middle;
  }
}
kernel void read(global int* out) {
  const int i = get_global_id(0);
  out[i] = counter + *both.to + middle[0] * 1000 + both.small * 10000 + (int)(both.f * 2) * 100000 + never_set.y;
}
kernel void count(global int* out) {
  const int seen = next();
  if (get_global_id(0) == 0) out[0] = seen;
}
)";

TEST_F(ProgramVariables, AreSharedByKernelsAndKept) {
  const Program program = session.build(kSource, "-cl-std=CL3.0");
  const cl_int fixed = 7 * 10000 + 5 * 100000;
  EXPECT_EQ(first_of(program, "read"), 5 + 5 + 2 * 1000 + fixed);
  EXPECT_EQ(first_of(program, "write"), 4);
  EXPECT_EQ(first_of(program, "read"), 2 * (5 + 64) + 4 * 1000 + fixed);
  const Kernel count = session.kernel(program, "count");
  for (int launch = 0; launch < 3; ++launch) {
    const Mem out = session.buffer(4 * sizeof(cl_int));
    session.launch(count, {{64}, {32}}, out);
    const cl_int seen = session.download<cl_int>(out, 1)[0];
    EXPECT_GE(seen, 100 + launch * 64);
    EXPECT_LT(seen, 100 + (launch + 1) * 64);
  }
}

TEST_F(ProgramVariables, AreEachProgramsOwn) {
  const Program one = session.build(kSource, "-cl-std=CL3.0"), other = session.build(kSource, "-cl-std=CL3.0");
  first_of(one, "write");
  EXPECT_EQ(first_of(other, "read") % 1000, 10);
}

TEST_F(ProgramVariables, SizeIsReported) {
  const Program program = session.build(kSource, "-cl-std=CL3.0"), none = session.build("kernel void k(global int* a) { a[0] = 1; }");
  std::size_t size = 0;
  ASSERT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size, &size, nullptr), CL_SUCCESS);
  EXPECT_GE(size, 40 * sizeof(cl_int));
  ASSERT_EQ(clGetProgramBuildInfo(none, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size, &size, nullptr), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
}

TEST_F(ProgramVariables, ComeWithBinaries) {
  const Program program = session.build(kSource, "-cl-std=CL3.0");
  first_of(program, "write");  // the binary has what the program began with
  std::size_t size = 0;
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), CL_SUCCESS);
  std::vector<unsigned char> binary(size);
  unsigned char* to = binary.data();
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr), CL_SUCCESS);
  cl_int error = CL_SUCCESS, status = CL_SUCCESS;
  const unsigned char* from = binary.data();
  const Program loaded(clCreateProgramWithBinary(context, 1, &device, &size, &from, &status, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(first_of(loaded, "read") % 1000, 10);
}

}  // namespace
}  // namespace weft::conformance
