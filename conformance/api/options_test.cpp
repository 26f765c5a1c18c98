// What the environment's variables do to builds (docs/options.md). A process reads them once, so each test runs anew in a
// process that has them set.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr char kSource[] = "kernel void k(global int* a) { a[get_global_id(0)] = (int)get_global_id(0) * 3; }";

/// In the process that the test starts: exits with 0 if `work` says true.
template <typename F>
[[noreturn]] void exit_with(F work) {
  bool good = false;
  try {
    good = work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::exit(good ? 0 : 1);
}

/// Whether builds fail, all with `text` in their logs, and the rest of the platform goes on.
bool refuses_to_build(const std::string& text) {
  const Session session(test_device());
  cl_device_id device = session.device();
  for (int i = 0; i < 2; ++i) {
    const Program program = session.create_program(kSource);
    if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) != CL_BUILD_PROGRAM_FAILURE) return false;
    if (session.build_log(program).find(text) == std::string::npos) return false;
    cl_build_status status = CL_BUILD_NONE;
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr), "status");
    if (status != CL_BUILD_ERROR) return false;
    cl_int error = CL_SUCCESS;
    const Kernel kernel(clCreateKernel(program, "k", &error));
    if (error != CL_INVALID_PROGRAM_EXECUTABLE) return false;
  }
  const Program part = session.create_program(kSource);
  if (clCompileProgram(part, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr) != CL_COMPILE_PROGRAM_FAILURE) return false;
  if (session.build_log(part).find(text) == std::string::npos) return false;
  const std::vector<cl_int> values = iota<cl_int>(1000);
  return session.download<cl_int>(session.upload(values), values.size()) == values;
}

class Options : public testing::Test {
 protected:
  Options() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

struct Refused {
  const char* variable;
  const char* value;
  const char* text;
};

class RefusedOptions : public Options, public testing::WithParamInterface<Refused> {};

TEST_P(RefusedOptions, FailBuildsAndNothingElse) {
  WEFT_ONLY("Weft's variables");
  const Refused& refused = GetParam();
  setenv(refused.variable, refused.value, 1);
  // All of what is written to stderr: once, however often a build fails.
  EXPECT_EXIT(exit_with([&] { return refuses_to_build(std::string("error: ") + refused.variable + ": " + refused.text); }),
              testing::ExitedWithCode(0), std::string("^weft: ") + refused.variable + ": " + refused.text + "[^\n]*\n$");
  unsetenv(refused.variable);
}

INSTANTIATE_TEST_SUITE_P(
    Variables, RefusedOptions,
    testing::Values(Refused{"WEFT_CPU", "nonesuch", "no processor is called 'nonesuch'"},
                    // The last processors with these instructions were made in 2015.
                    Refused{"WEFT_CPU", "bdver4", "this processor cannot run code for 'bdver4': it lacks "},
                    Refused{"WEFT_DISABLE", "prefetch,nonesuch", "no pass is called 'nonesuch'"},
                    Refused{"WEFT_DISABLE", "widen", "pass 'widen' is required"}));

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

bool runs(const Session& session, const Program& program) {
  const Mem out = session.buffer(64 * sizeof(cl_int));
  session.launch(session.kernel(program, "k"), {{64}, {32}, {}}, out);
  return session.download<cl_int>(out, 64)[63] == 189;
}

// Other programs' variables may begin as Weft's do.
TEST_F(Options, AForeignVariableChangesNeitherKeysNorBinaries) {
  WEFT_ONLY("Weft's variables");
  // Both processes find the folder by a variable, as they have nothing else in common.
  constexpr char kFolder[] = "OPTIONS_TEST_FOLDER";
  if (!std::getenv(kFolder)) {
    std::string name = (std::filesystem::temp_directory_path() / "weft-options-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    setenv(kFolder, name.c_str(), 1);
    std::filesystem::create_directory(name + "/cache");
  }
  const std::filesystem::path folder = std::getenv(kFolder);
  const char* const usual = std::getenv("WEFT_CACHE_DIR");
  const std::string before = usual ? usual : "";
  setenv("WEFT_CACHE_DIR", (folder / "cache").c_str(), 1);

  EXPECT_EXIT(exit_with([&] {
                const Session session(test_device());
                const Program program = session.build(kSource);
                const auto bytes = binary_of(program);
                std::ofstream(folder / "binary").write(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                return runs(session, program) && files_in(folder / "cache") > 0;
              }),
              testing::ExitedWithCode(0), "");
  setenv("WEFT_FOO", "1", 1);
  EXPECT_EXIT(exit_with([&] {
                const Session session(test_device());
                const std::size_t files = files_in(folder / "cache");
                const Program program = session.build(kSource);
                if (!runs(session, program) || files_in(folder / "cache") != files) return false;
                std::ifstream file(folder / "binary");
                const std::string text{std::istreambuf_iterator<char>(file), {}};
                const std::vector<unsigned char> bytes(text.begin(), text.end());
                if (bytes != binary_of(program)) return false;
                const unsigned char* at = bytes.data();
                const std::size_t size = bytes.size();
                cl_device_id device = session.device();
                cl_int status = CL_SUCCESS, error = CL_SUCCESS;
                const Program loaded(clCreateProgramWithBinary(session.context(), 1, &device, &size, &at, &status, &error));
                if (error != CL_SUCCESS || clBuildProgram(loaded, 1, &device, "", nullptr, nullptr) != CL_SUCCESS) return false;
                return runs(session, loaded);
              }),
              testing::ExitedWithCode(0), "");
  unsetenv("WEFT_FOO");
  usual ? setenv("WEFT_CACHE_DIR", before.c_str(), 1) : unsetenv("WEFT_CACHE_DIR");
  std::filesystem::remove_all(folder);
  unsetenv(kFolder);
}

}  // namespace
}  // namespace weft::conformance
