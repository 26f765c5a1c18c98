// Builds with a callback, which programs expect to go on beside them (OpenCL 3.0 API §5.8.2 to §5.8.4).
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

/// What a callback saw. Waited for by polling, as programs do.
struct Outcome {
  std::atomic<int> calls{0};
  std::atomic<cl_program> program{nullptr};
  std::atomic<cl_build_status> status{CL_BUILD_NONE};
  std::atomic<bool> on_caller{false};
  std::thread::id caller = std::this_thread::get_id();

  bool wait() const {
    for (int i = 0; i < 60'000 && calls == 0; ++i) usleep(1000);
    return calls > 0;
  }
};

cl_build_status status_of(cl_program program) {
  cl_build_status status = CL_BUILD_NONE;
  clGetProgramBuildInfo(program, test_device(), CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr);
  return status;
}

void CL_CALLBACK note(cl_program program, void* data) {
  auto& outcome = *static_cast<Outcome*>(data);
  outcome.program = program;
  outcome.status = status_of(program);
  outcome.on_caller = std::this_thread::get_id() == outcome.caller;
  ++outcome.calls;
}

/// A program that takes a while to compile and that no cache knows. Its kernel `fill` writes `value`.
std::string slow_source(int value) {
  static int calls = 0;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  std::string source = "constant ulong unique = " + std::to_string(now + ++calls) + "UL;\n";
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    source += "kernel void k" + n + "(global float* a) { float s = " + n +
              "; for (int i = 0; i < 9; ++i) { s += sin(a[i]) * pow(s, a[i + " + n +
              "]); if (s > 5) s -= exp(s); } a[get_global_id(0)] = s + unique; }\n";
  }
  return source + "kernel void fill(global int* a) { a[0] = " + std::to_string(value) + "; }\n";
}

int value_of(const Session& session, cl_program program) {
  const Mem out = session.buffer(sizeof(cl_int));
  session.launch(session.kernel(program, "fill"), {{1}, {}, {}}, out);
  return session.download<cl_int>(out, 1)[0];
}

class AsyncBuild : public ApiTest {};

TEST_F(AsyncBuild, TheProgramIsReadyInTheCallback) {
  const Program program = session.create_program(slow_source(5));
  Outcome outcome;
  ASSERT_EQ(clBuildProgram(program, 1, &device, "", note, &outcome), CL_SUCCESS);
  ASSERT_TRUE(outcome.wait());
  EXPECT_EQ(outcome.program, program.get());
  EXPECT_EQ(outcome.status, CL_BUILD_SUCCESS);
  EXPECT_EQ(value_of(session, program), 5);
  EXPECT_EQ(outcome.calls, 1);
}

TEST_F(AsyncBuild, ReturnsWhileItBuilds) {
  WEFT_ONLY("an implementation may also build before it returns");
  const Program program = session.create_program(slow_source(6));
  Outcome outcome;
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", note, &outcome), CL_SUCCESS);
  EXPECT_EQ(status_of(program), CL_BUILD_IN_PROGRESS);
  // Neither another build nor a kernel before the end.
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_OPERATION);
  cl_int error = CL_SUCCESS;
  const Kernel early(clCreateKernel(program, "fill", &error));
  EXPECT_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_TRUE(outcome.wait());
  EXPECT_FALSE(outcome.on_caller);
  EXPECT_EQ(outcome.status, CL_BUILD_SUCCESS);
  EXPECT_EQ(value_of(session, program), 6);
}

TEST_F(AsyncBuild, AFailureIsCalledBackToo) {
  const Program program = session.create_program("kernel void k(global int* a) { *a = missing; }");
  Outcome outcome;
  const cl_int code = clBuildProgram(program, 0, nullptr, "", note, &outcome);
  EXPECT_TRUE(code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE) << code;
  ASSERT_TRUE(outcome.wait());
  EXPECT_EQ(outcome.status, CL_BUILD_ERROR);
  EXPECT_NE(session.build_log(program).find("missing"), std::string::npos);
}

TEST_F(AsyncBuild, BadOptionsAreRefusedAtOnce) {
  WEFT_ONLY("an implementation may see them late");
  const Program program = session.create_program("kernel void k(global int* a) { *a = 1; }");
  Outcome outcome;
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-no-such-option", note, &outcome), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(status_of(program), CL_BUILD_ERROR);
  EXPECT_EQ(outcome.calls, 0);
}

TEST_F(AsyncBuild, ReleasedWhileItBuilds) {
  Program program = session.create_program(slow_source(7));
  Outcome outcome;
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", note, &outcome), CL_SUCCESS);
  const cl_program handle = program.get();
  program.reset();
  ASSERT_TRUE(outcome.wait());
  EXPECT_EQ(outcome.program, handle);
  if (testing_weft()) {
    EXPECT_EQ(outcome.status, CL_BUILD_SUCCESS);
  }
}

TEST_F(AsyncBuild, ManyAtOnce) {
  constexpr int kPrograms = 8;
  std::vector<Program> programs;
  std::vector<Outcome> outcomes(kPrograms);
  for (int i = 0; i < kPrograms; ++i) {
    programs.push_back(session.create_program(slow_source(i)));
    ASSERT_EQ(clBuildProgram(programs.back(), 0, nullptr, "", note, &outcomes[static_cast<std::size_t>(i)]),
              CL_SUCCESS);
  }
  for (int i = 0; i < kPrograms; ++i) {
    ASSERT_TRUE(outcomes[static_cast<std::size_t>(i)].wait());
    EXPECT_EQ(value_of(session, programs[static_cast<std::size_t>(i)]), i);
  }
}

/// Builds the next program of a chain in the callback and waits for it there.
struct Chain {
  const Session* session;
  int left;
  std::vector<Program> programs;
  Outcome done;
  std::atomic<int> callbacks{0};  ///< that have not returned
};

void CL_CALLBACK build_next(cl_program program, void* data) {
  auto& chain = *static_cast<Chain*>(data);
  if (--chain.left == 0) {
    note(program, &chain.done);
  } else {
    chain.programs.push_back(chain.session->create_program(slow_source(chain.left)));
    ++chain.callbacks;
    clBuildProgram(chain.programs.back(), 0, nullptr, "", build_next, data);
    chain.done.wait();
  }
  --chain.callbacks;
}

TEST_F(AsyncBuild, CallbacksMayBuildAndWait) {
  NOT_ON_POCL("builds before it returns, so the callback waits for itself");
  Chain chain{&session, 5, {}, {}, 1};
  chain.programs.reserve(5);
  chain.programs.push_back(session.create_program(slow_source(0)));
  ASSERT_EQ(clBuildProgram(chain.programs.back(), 0, nullptr, "", build_next, &chain), CL_SUCCESS);
  EXPECT_TRUE(chain.done.wait());
  while (chain.callbacks > 0) usleep(100);
}

TEST_F(AsyncBuild, CompileAndLink) {
  const Program a =
      session.create_program("int twice(int);\nkernel void fill(global int* p) { p[0] = twice(21); }");
  const Program b = session.create_program("int twice(int x) { return 2 * x; }");
  for (cl_program part : {a.get(), b.get()}) {
    Outcome outcome;
    ASSERT_EQ(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, note, &outcome), CL_SUCCESS);
    ASSERT_TRUE(outcome.wait());
    EXPECT_EQ(outcome.status, CL_BUILD_SUCCESS);
  }
  const cl_program parts[] = {a, b};
  cl_int error = CL_SUCCESS;
  Outcome outcome;
  const Program linked(clLinkProgram(context, 0, nullptr, "", 2, parts, note, &outcome, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  ASSERT_TRUE(outcome.wait());
  EXPECT_EQ(outcome.program, linked.get());
  EXPECT_EQ(value_of(session, linked), 42);
}

// A program may end while it builds.
TEST_F(AsyncBuild, ExitMeanwhile) {
  WEFT_ONLY("forks with a context");
  EXPECT_EXIT(
      {
        static Outcome outcome;
        for (int i = 0; i < 6; ++i) {
          cl_program program = session.create_program(slow_source(i)).take();
          clBuildProgram(program, 0, nullptr, "", note, &outcome);
        }
        usleep(30'000);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace weft::conformance
