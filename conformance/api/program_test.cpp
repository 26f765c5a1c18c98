// Programs: sources, options, logs, separate compilation (OpenCL 3.0 API §5.8).
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "api/version.h"

namespace weft::conformance {
namespace {

using ProgramTest = ApiTest;

constexpr const char* kFill = "kernel void fill(global int* a) { a[get_global_id(0)] = VALUE; }";

cl_build_status build_status(cl_program program, cl_device_id device) {
  cl_build_status status = 0;
  check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr),
        "status");
  return status;
}

cl_int value_of(const Session& session, const Program& program, const std::string& kernel = "fill") {
  const Mem out = session.upload(std::vector<cl_int>(1, -1));
  session.launch(session.kernel(program, kernel), {{1}}, out);
  return session.download<cl_int>(out, 1)[0];
}

TEST_F(ProgramTest, DefinesReachTheSource) {
  EXPECT_EQ(value_of(session, session.build(kFill, "-DVALUE=7")), 7);
  EXPECT_EQ(value_of(session, session.build(kFill, "-D VALUE=8")), 8);
  EXPECT_EQ(value_of(session, session.build(kFill, "  -DOTHER -D VALUE=(3*3)  -w")), 9);
}

TEST_F(ProgramTest, SourceInSeveralStrings) {
  // A length of 0 means up to the terminating zero.
  const char* parts[] = {"kernel void fill(global int* a)", "{ a[get_global_id(0)] = 5; not this", "}"};
  const std::size_t lengths[] = {0, 27, 1};
  cl_int error = CL_SUCCESS;
  const Program program(clCreateProgramWithSource(context, 3, parts, lengths, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
      << session.build_log(program);
  EXPECT_EQ(value_of(session, program), 5);
}

TEST_F(ProgramTest, LanguageVersions) {
  const std::string source = "kernel void fill(global int* a) { a[0] = __OPENCL_C_VERSION__; }";
  // Without an option, the highest 1.x (OpenCL 3.0 API §5.8.6.5); PoCL takes 3.0.
  if (!testing_pocl()) {
    EXPECT_EQ(value_of(session, session.build(source)), 120);
  }
  EXPECT_EQ(value_of(session, session.build(source, "-cl-std=CL1.2")), 120);
  EXPECT_EQ(value_of(session, session.build(source, "-cl-std=CL3.0")), 300);
}

// What OpenCL C 3.1 has beside 3.0 (Appendix "Summary of Changes").
TEST_F(ProgramTest, LanguageVersion31) {
  if (!has_opencl_3_1(device)) GTEST_SKIP() << "of OpenCL 3.0";
  EXPECT_EQ(value_of(session, session.build(R"(
#if __OPENCL_C_VERSION__ != 310 || CL_VERSION_3_1 != 310 || __OPENCL_C_VERSION__ < CL_VERSION_3_1 || __OPENCL_VERSION__ < CL_VERSION_3_1
#error versions
#endif
#if !defined(__opencl_c_subgroups) || !defined(__opencl_c_integer_dot_product_input_4x8bit_packed) || !defined(__opencl_c_int64)
#error features
#endif
kernel void fill(global int* a) {
  uint r = bitfield_insert(0u, 5u, 3, 4) + bit_reverse(0x80000000u);                                         // 41
  r += dot_4x8packed_uu_uint(0x01020304, 0x01010101);                                                         // 10
  char c = sub_group_broadcast((char)7, 0);                                                                   // extended types
  int lane = get_sub_group_local_id();  // there is one
  int s = sub_group_shuffle(lane + 3, 0) + sub_group_rotate(lane, 1) - sub_group_shuffle_down(lane, 0);       // 3
  if (get_global_id(0) == 0) {
    printf("%zu %td\n", sizeof(int), (ptrdiff_t)-1);
    a[0] = r + c + s;
  }
})", "-cl-std=CL3.1 -Werror")), 41 + 10 + 7 + 3);
  // The macro of the version is there for programs of older ones to ask for.
  EXPECT_EQ(value_of(session, session.build("kernel void fill(global int* a) { a[0] = CL_VERSION_3_1 - __OPENCL_C_VERSION__; }")), 310 - 120);
}

TEST_F(ProgramTest, PredefinedMacros) {
  const std::string source =
      "#ifndef __ENDIAN_LITTLE__\n#error endian\n#endif\n"
      "#if CL_VERSION_1_2 != 120 || CL_VERSION_3_0 != 300\n#error versions\n#endif\n"
      "#ifndef cl_khr_fp64\n#error fp64\n#endif\n"
      "#ifndef __FAST_RELAXED_MATH__\n#error relaxed\n#endif\n"
      "kernel void fill(global int* a) { a[0] = __OPENCL_VERSION__; }";
  EXPECT_EQ(value_of(session, session.build(source, "-cl-fast-relaxed-math")), has_opencl_3_1(device) ? 310 : 300);
}

TEST_F(ProgramTest, OptimizationOptionsAreKnown) {
  for (const char* option :
       {"-cl-opt-disable", "-cl-mad-enable", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-denorms-are-zero",
        "-cl-single-precision-constant", "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-kernel-arg-info",
        "-w", "-g", "-cl-strict-aliasing"}) {
    EXPECT_NO_THROW(session.build("kernel void k(global float* a) { *a = *a * 3.0f + 1.0f; }", option))
        << option;
  }
}

// Programs written for AMD's platform pass them to any.
TEST_F(ProgramTest, LevelsOfAmd) {
  for (const char* option : {"-O0", "-O3", "-I. -O2 -DA=1"}) EXPECT_NO_THROW(session.build("kernel void k(global float* a) { *a = 1; }", option)) << option;
}

// Programs written for NVIDIA's platform pass them to any.
TEST_F(ProgramTest, OptionsOfNvidia) {
  WEFT_ONLY("cl_nv_compiler_options");
  const std::string source = "kernel void k(global float* a) { *a = 1; }";
  for (const char* option :
       {"-cl-nv-verbose", "-cl-nv-maxrregcount=32", "-cl-nv-maxrregcount 32 -w",
        "-cl-fast-relaxed-math -cl-nv-opt-level=3", "-cl-nv-arch sm_35 -cl-nv-verbose"}) {
    EXPECT_NO_THROW(session.build(source, option)) << option;
  }
  const Program program = session.create_program(source);
  for (const char* option : {"-cl-nv-no-such", "-cl-nv-maxrregcount", "-cl-nv-opt-level="}) {
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, option, nullptr, nullptr), CL_INVALID_BUILD_OPTIONS)
        << option;
  }
  ASSERT_EQ(clCompileProgram(program, 0, nullptr, "-cl-nv-verbose", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  const cl_program parts[] = {program};
  cl_int error = CL_SUCCESS;
  const Program linked(
      clLinkProgram(context, 0, nullptr, "-cl-nv-verbose", 1, parts, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
}

TEST_F(ProgramTest, ErrorsComeWithALineAndAMessage) {
  const Program program =
      session.create_program("kernel void k(global int* a) {\n  a[0] = undeclared_name;\n}");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(build_status(program, device), CL_BUILD_ERROR);
  const std::string log = session.build_log(program);
  EXPECT_NE(log.find("undeclared_name"), std::string::npos) << log;
  EXPECT_NE(log.find(":2:"), std::string::npos) << log;
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateKernel(program, "k", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(ProgramTest, WarningsAreInTheLogOfASuccess) {
  WEFT_ONLY("the log's text is the compiler's own");
  const std::string source = "#warning look here\nkernel void k(global int* a) { *a = 1; }";
  const Program program = session.create_program(source);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  EXPECT_NE(session.build_log(program).find("look here"), std::string::npos);
  const Program quiet = session.create_program(source);
  EXPECT_EQ(clBuildProgram(quiet, 0, nullptr, "-w", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(session.build_log(quiet).find("look here"), std::string::npos);
  const Program strict = session.create_program(source);
  EXPECT_EQ(clBuildProgram(strict, 0, nullptr, "-Werror", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
}

TEST_F(ProgramTest, UnknownOptions) {
  const Program program = session.create_program("kernel void k() {}");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-no-such-option", nullptr, nullptr),
            CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, "-no-such-option", 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_COMPILER_OPTIONS);
}

TEST_F(ProgramTest, EmptySource) {
  NOT_ON_POCL("refuses a source without tokens");
  const Program program = session.create_program(" ");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  std::size_t kernels = 99;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr), CL_SUCCESS);
  EXPECT_EQ(kernels, 0u);
}

TEST_F(ProgramTest, BadCreation) {
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateProgramWithSource(context, 0, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  const char* null_string = nullptr;
  EXPECT_EQ(clCreateProgramWithSource(context, 1, &null_string, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(ProgramTest, Info) {
  const std::string source =
      "kernel void b(global int* p) { *p = 1; } kernel void a(global int* p) { *p = 2; }";
  const Program program = session.build(source);
  std::size_t count = 0;
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 2u);
  char names[64] = {};
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr), CL_SUCCESS);
  EXPECT_TRUE(std::string(names) == "a;b" || std::string(names) == "b;a") << names;
  std::vector<char> text(source.size() + 1);
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_SOURCE, text.size(), text.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(std::string(text.data()), source);
  std::size_t type_size = 0;
  cl_program_binary_type type = 0;
  ASSERT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, &type_size),
            CL_SUCCESS);
  EXPECT_EQ(type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
}

TEST_F(ProgramTest, BuildOptionsComeBack) {
  const Program program = session.build(kFill, "-DVALUE=7");
  char options[64] = {};
  ASSERT_EQ(
      clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, nullptr),
      CL_SUCCESS);
  EXPECT_NE(std::string(options).find("-DVALUE=7"), std::string::npos) << options;
}

TEST_F(ProgramTest, RebuildWithOtherOptions) {
  const Program program = session.build(kFill, "-DVALUE=1");
  EXPECT_EQ(value_of(session, program), 1);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-DVALUE=2", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(value_of(session, program), 2);
}

TEST_F(ProgramTest, NoRebuildWhileKernelsLive) {
  const Program program = session.build(kFill, "-DVALUE=1");
  const Kernel kernel = session.kernel(program, "fill");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-DVALUE=2", nullptr, nullptr), CL_INVALID_OPERATION);
}

TEST_F(ProgramTest, IncludeFromAFolder) {
  const auto folder = std::filesystem::temp_directory_path() / ("weft-include-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string source = "#include \"value.h\"\nkernel void fill(global int* a) { a[0] = VALUE; }";
  // The same source sees the header's text of the moment, not one from a cache.
  for (int value : {11, 12}) {
    std::ofstream(folder / "value.h") << "#define VALUE " << value << "\n";
    EXPECT_EQ(value_of(session, session.build(source, "-I " + folder.string())), value);
    EXPECT_EQ(value_of(session, session.build(source, "-I" + folder.string())), value);
  }
  std::filesystem::remove_all(folder);
}

void CL_CALLBACK built(cl_program, void* data) { *static_cast<std::atomic<bool>*>(data) = true; }

TEST_F(ProgramTest, BuildWithACallback) {
  const Program program = session.create_program("kernel void k(global int* a) { *a = 1; }");
  std::atomic<bool> done = false;
  ASSERT_EQ(clBuildProgram(program, 1, &device, "", built, &done), CL_SUCCESS);
  for (int i = 0; i < 5000 && !done; ++i) usleep(1000);
  EXPECT_TRUE(done);
  EXPECT_EQ(build_status(program, device), CL_BUILD_SUCCESS);
}

TEST_F(ProgramTest, CompileAndLink) {
  const Program a =
      session.create_program("int twice(int);\nkernel void fill(global int* p) { p[0] = twice(21); }");
  const Program b = session.create_program("int twice(int x) { return 2 * x; }");
  for (cl_program part : {a.get(), b.get()}) {
    ASSERT_EQ(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
    cl_program_binary_type type = 0;
    ASSERT_EQ(clGetProgramBuildInfo(part, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
  }
  const cl_program parts[] = {a, b};
  cl_int error = CL_SUCCESS;
  const Program linked(clLinkProgram(context, 0, nullptr, "", 2, parts, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(value_of(session, linked), 42);
}

TEST_F(ProgramTest, LinkWithALibrary) {
  const Program a =
      session.create_program("int twice(int);\nkernel void fill(global int* p) { p[0] = twice(4); }");
  const Program b = session.create_program("int twice(int x) { return 2 * x; }");
  for (cl_program part : {a.get(), b.get()}) {
    ASSERT_EQ(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  }
  cl_int error = CL_SUCCESS;
  const cl_program only_b[] = {b};
  const Program library(
      clLinkProgram(context, 0, nullptr, "-create-library", 1, only_b, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const cl_program parts[] = {a, library};
  const Program linked(clLinkProgram(context, 0, nullptr, "", 2, parts, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(value_of(session, linked), 8);
}

TEST_F(ProgramTest, EmbeddedHeaders) {
  const Program header = session.create_program("#define VALUE 33\n");
  const Program main =
      session.create_program("#include \"deep/value.h\"\nkernel void fill(global int* p) { *p = VALUE; }");
  const cl_program headers[] = {header};
  const char* names[] = {"deep/value.h"};
  ASSERT_EQ(clCompileProgram(main, 0, nullptr, "", 1, headers, names, nullptr, nullptr), CL_SUCCESS);
  const cl_program parts[] = {main};
  cl_int error = CL_SUCCESS;
  const Program linked(clLinkProgram(context, 0, nullptr, "", 1, parts, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(value_of(session, linked), 33);
}

TEST_F(ProgramTest, UndefinedSymbolAtLink) {
  NOT_ON_POCL("a failing link returns no program");
  const Program a =
      session.create_program("int missing(int);\nkernel void fill(global int* p) { p[0] = missing(1); }");
  ASSERT_EQ(clCompileProgram(a, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  const cl_program parts[] = {a};
  cl_int error = CL_SUCCESS;
  const Program linked(clLinkProgram(context, 0, nullptr, "", 1, parts, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_LINK_PROGRAM_FAILURE);
  ASSERT_NE(linked.get(), nullptr);
  EXPECT_NE(session.build_log(linked).find("missing"), std::string::npos);
}

TEST_F(ProgramTest, Recursion) {
  WEFT_ONLY("OpenCL C 3.0 §6.11 forbids recursion; a diagnostic is Weft's");
  const Program program = session.create_program(
      "int f(int x) { return x < 2 ? 1 : x * f(x - 1); }\nkernel void k(global int* a) { a[0] = f(a[1]); }");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_FALSE(session.build_log(program).empty());
}

TEST_F(ProgramTest, UnloadCompiler) {
  EXPECT_EQ(clUnloadPlatformCompiler(test_platform()), CL_SUCCESS);
  EXPECT_EQ(value_of(session, session.build(kFill, "-DVALUE=4")), 4);
}

}  // namespace
}  // namespace weft::conformance
