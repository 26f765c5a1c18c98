// Program binaries (OpenCL 3.0 API §5.8.1).
#include "api/fixture.h"

namespace weft::conformance {
namespace {

using Bytes = std::vector<unsigned char>;

class Binary : public ApiTest {
 protected:
  Program load(const Bytes& bytes, cl_int* error, cl_int* status) {
    const unsigned char* at = bytes.data();
    const std::size_t size = bytes.size();
    return Program(clCreateProgramWithBinary(context, 1, &device, &size, &at, status, error));
  }
  cl_int run(const Program& program) {
    const Mem out = session.upload(std::vector<cl_int>(64, 0));
    session.launch(session.kernel(program, "k"), {{64}, {32}}, out, cl_int{5});
    return session.download<cl_int>(out, 64)[63];
  }
  const std::string source =
      "kernel void k(global int* a, int by) { local int t; if (get_local_id(0) == 0) t = by;"
      " barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t * (int)get_global_id(0); }";
};

TEST_F(Binary, RoundTrip) {
  const Program built = session.build(source);
  EXPECT_EQ(run(built), 315);
  const Bytes bytes = binary_of(built);
  ASSERT_GT(bytes.size(), 0u);
  cl_int error = CL_SUCCESS;
  cl_int status = CL_SUCCESS;
  const Program loaded = load(bytes, &error, &status);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(status, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(loaded, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(run(loaded), 315);
}

TEST_F(Binary, OptionsAreChecked) {
  NOT_ON_POCL("ignores options with a binary");
  const Bytes bytes = binary_of(session.build(source));
  cl_int error = CL_SUCCESS;
  cl_int status = CL_SUCCESS;
  const Program loaded = load(bytes, &error, &status);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clBuildProgram(loaded, 0, nullptr, "-cl-std=CL9.9", nullptr, nullptr), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(clBuildProgram(loaded, 0, nullptr, "-no-such-option", nullptr, nullptr),
            CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(clBuildProgram(loaded, 0, nullptr, "-cl-std=CL1.2 -DX=1", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(run(loaded), 315);
}

TEST_F(Binary, CompiledObjectRoundTrip) {
  const Program part = session.create_program(source);
  ASSERT_EQ(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  cl_int error = CL_SUCCESS;
  cl_int status = CL_SUCCESS;
  const Program loaded = load(binary_of(part), &error, &status);
  ASSERT_EQ(error, CL_SUCCESS);
  const cl_program parts[] = {loaded};
  const Program linked(clLinkProgram(context, 0, nullptr, "", 1, parts, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(run(linked), 315);
}

TEST_F(Binary, ArgumentInfoSurvives) {
  WEFT_ONLY("whether a binary keeps the names of arguments is open");
  const Program built = session.build(source, "-cl-kernel-arg-info");
  cl_int error = CL_SUCCESS;
  cl_int status = CL_SUCCESS;
  const Program loaded = load(binary_of(built), &error, &status);
  ASSERT_EQ(clBuildProgram(loaded, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  const Kernel kernel = session.kernel(loaded, "k");
  char name[16] = {};
  EXPECT_EQ(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_NAME, sizeof name, name, nullptr), CL_SUCCESS);
  EXPECT_STREQ(name, "by");
}

TEST_F(Binary, Garbage) {
  cl_int error = CL_SUCCESS;
  cl_int status = CL_SUCCESS;
  EXPECT_EQ(load(Bytes(100, 'x'), &error, &status).get(), nullptr);
  EXPECT_EQ(error, CL_INVALID_BINARY);
  EXPECT_EQ(status, CL_INVALID_BINARY);
  const unsigned char* null_binary = nullptr;
  const std::size_t size = 10;
  EXPECT_EQ(clCreateProgramWithBinary(context, 1, &device, &size, &null_binary, &status, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

// A damaged binary is refused when it is loaded or built; whatever happens, the process lives.
TEST_F(Binary, DamagedAnywhere) {
  WEFT_ONLY("PoCL 3.1 has no checksum and may crash");
  const Program built = session.build(source);
  const Bytes good = binary_of(built);
  const std::size_t step = std::max<std::size_t>(1, good.size() / 60);
  for (std::size_t at = 0; at < good.size(); at += step) {
    Bytes bad = good;
    bad[at] ^= 0x5a;
    cl_int error = CL_SUCCESS;
    cl_int status = CL_SUCCESS;
    const Program loaded = load(bad, &error, &status);
    EXPECT_EQ(error, CL_INVALID_BINARY) << "byte " << at << " of " << good.size();
  }
  for (std::size_t size : {std::size_t{1}, std::size_t{8}, good.size() / 2, good.size() - 1}) {
    cl_int error = CL_SUCCESS;
    cl_int status = CL_SUCCESS;
    EXPECT_EQ(load(Bytes(good.begin(), good.begin() + size), &error, &status).get(), nullptr) << size;
    EXPECT_EQ(error, CL_INVALID_BINARY) << size;
  }
}

}  // namespace
}  // namespace weft::conformance
