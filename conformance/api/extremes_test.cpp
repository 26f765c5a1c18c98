// What is larger, deeper or smaller than programs usually are, and what was damaged: each a result or the specification's
// error, never a crash or a hang.
#include <unistd.h>

#include <atomic>
#include <random>
#include <thread>

#include "api/version.h"

namespace weft::conformance {
namespace {

const std::string kWrite = "kernel void k(global int* a) { a[get_global_id(0)] = 5; }\n";

class Extremes : public ApiTest {
 protected:
  void expect_alive() {
    const Program program = session.build(kWrite);
    EXPECT_EQ(value_of(program), 5);
  }
  /// What the kernel `k` of `program` leaves in the last of 64 elements.
  cl_int value_of(cl_program program) {
    const Mem out = session.upload(std::vector<cl_int>(64, 0));
    session.launch(session.kernel(program, "k"), {{64}, {32}, {}}, out);
    return session.download<cl_int>(out, 64)[63];
  }
  cl_int build(const std::string& source, const std::string& options = "") {
    program = session.create_program(source);
    return clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr);
  }
  Program program;
};

// ---- private memory ---------------------------------------------------------------------------------------------------

std::string with_private_array(std::uint64_t bytes) {
  return "kernel void k(global int* a) { uchar big[" + std::to_string(bytes) +
         "UL]; ulong size = sizeof(big); ulong at = (a[get_global_id(0)] + 977UL * get_global_id(0)) % size;"
         " big[at] = 7; big[(at + 1) % size] = 9; a[get_global_id(0)] = big[at]; }";
}

TEST_F(Extremes, PrivateArrayOfAMegabyte) {
  NOT_ON_POCL("keeps private arrays of all work-items on a worker's stack");
  ASSERT_EQ(build(with_private_array(1 << 20)), CL_SUCCESS) << session.build_log(program);
  EXPECT_EQ(value_of(program), 7);
}

TEST_F(Extremes, PrivateArraysBeyondAllMemory) {
  NOT_ON_POCL("keeps private arrays of all work-items on a worker's stack");
  for (const std::uint64_t bytes : {std::uint64_t{1} << 28, std::uint64_t{1} << 31, std::uint64_t{1} << 32,
                                    std::uint64_t{1} << 40, std::uint64_t{1} << 59, std::uint64_t{1} << 60}) {
    cl_int error = build(with_private_array(bytes));
    if (error == CL_SUCCESS) error = error_of([&] { value_of(program); });
    EXPECT_TRUE(error == CL_OUT_OF_RESOURCES || error == CL_OUT_OF_HOST_MEMORY || error == CL_BUILD_PROGRAM_FAILURE)
        << bytes << ": " << error;
  }
  expect_alive();
}

// ---- sources ----------------------------------------------------------------------------------------------------------

TEST_F(Extremes, DeepSources) {
  NOT_ON_POCL("its Clang runs on the caller's stack");
  const auto repeat = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const std::string begin = "kernel void k(global int* a) { int x = a[get_global_id(0)];", end = " a[get_global_id(0)] = x; }";
  const std::pair<const char*, std::string> sources[] = {
      {"parentheses", begin + " x = " + repeat("(", 5000) + "5" + repeat(")", 5000) + ";" + end},
      {"blocks", begin + repeat("{", 5000) + repeat("}", 5000) + end},
      {"a sum", begin + " x = 5" + repeat(" + a[get_global_id(0)]", 3000) + ";" + end},
      {"conditions", begin + " x = " + repeat("x ? 1 : ", 3000) + "5;" + end},
      {"else if", begin + repeat(" if (x == 9) x = 6; else", 3000) + " x = 5;" + end},
      {"signs", begin + " x = " + repeat("- ", 5000) + "5;" + end},
      {"pointers", "kernel void k(global int* a) { int " + repeat("*", 5000) + " p = 0; a[get_global_id(0)] = p ? 4 : 5; }"},
      {"structs", repeat("struct s { ", 5000) + "int x; " + repeat("} m; ", 5000) + kWrite},
      {"macros", [] {
         std::string text = "#define M0 5\n";
         for (int i = 1; i < 5000; ++i) text += "#define M" + std::to_string(i) + " (M" + std::to_string(i - 1) + ")\n";
         return text + "kernel void k(global int* a) { a[get_global_id(0)] = M200; int x = M4999; }";
       }()},
      {"doubling macros", [&] {
         std::string text = "#define M0 x +\n";
         for (int i = 1; i < 10; ++i) {
           const std::string before = " M" + std::to_string(i - 1);
           text += "#define M" + std::to_string(i) + before + before + "\n";
         }
         return text + begin + " x = M9 5;" + end;
       }()},
  };
  for (const auto& [name, source] : sources) {
    const cl_int error = build(source);
    if (error == CL_SUCCESS)
      EXPECT_EQ(value_of(program), 5) << name;
    else
      EXPECT_EQ(error, CL_BUILD_PROGRAM_FAILURE) << name;
  }
  expect_alive();
}

TEST_F(Extremes, AHeaderThatIncludesItself) {
  const Program header = session.create_program("#include \"self.h\"\n");
  const Program main = session.create_program("#include \"self.h\"\n" + kWrite);
  const cl_program headers[] = {header};
  const char* names[] = {"self.h"};
  EXPECT_EQ(clCompileProgram(main, 0, nullptr, "", 1, headers, names, nullptr, nullptr), CL_COMPILE_PROGRAM_FAILURE);
  EXPECT_FALSE(session.build_log(main).empty());
  expect_alive();
}

TEST_F(Extremes, RecursionThroughOthers) {
  WEFT_ONLY("OpenCL C 3.0 §6.11 forbids recursion; a diagnostic is Weft's");
  // A circle of 2,000 functions.
  std::string source;
  for (int i = 0; i < 2000; ++i) source += "int f" + std::to_string(i) + "(int);\n";
  for (int i = 0; i < 2000; ++i)
    source += "int f" + std::to_string(i) + "(int x) { return x ? f" + std::to_string((i + 1) % 2000) + "(x - 1) : 5; }\n";
  EXPECT_EQ(build(source + "kernel void k(global int* a) { a[0] = f0(a[0]); }"), CL_BUILD_PROGRAM_FAILURE);
  expect_alive();
}

TEST_F(Extremes, ADeepChainOfCalls) {
  std::string source = "int f0(int x) { return x + 5; }\n";
  for (int i = 1; i < 1000; ++i)
    source += "int f" + std::to_string(i) + "(int x) { return f" + std::to_string(i - 1) + "(x); }\n";
  ASSERT_EQ(build(source + "kernel void k(global int* a) { a[get_global_id(0)] = f999(a[get_global_id(0)]); }"), CL_SUCCESS);
  EXPECT_EQ(value_of(program), 5);
}

TEST_F(Extremes, EnormousSources) {
  std::string comments = kWrite;
  while (comments.size() < (8u << 20)) comments += "// " + std::string(200, 'x') + "\n";
  ASSERT_EQ(build(comments), CL_SUCCESS);
  EXPECT_EQ(value_of(program), 5);
  std::string functions = kWrite;
  for (int i = 0; i < 10'000; ++i)
    functions += "int unused" + std::to_string(i) + "(int x) { return x * " + std::to_string(i) + "; }\n";
  ASSERT_EQ(build(functions), CL_SUCCESS);
  EXPECT_EQ(value_of(program), 5);
  ASSERT_EQ(build("kernel void k(global int* a) { a[get_global_id(0)] = /*" + std::string(4 << 20, '*') + "*/ 5; }"), CL_SUCCESS);
  EXPECT_EQ(value_of(program), 5);
  const std::string name(100'000, 'n');
  ASSERT_EQ(build("#define " + name + " 5\nkernel void k(global int* a) { a[get_global_id(0)] = " + name + "; }"), CL_SUCCESS);
  EXPECT_EQ(value_of(program), 5);
}

TEST_F(Extremes, ATableOfAMegabyte) {
  std::string source = "constant int table[] = {";
  for (int i = 0; i < 1 << 18; ++i) source += std::to_string(i % 10) + ",";
  ASSERT_EQ(build(source + "};\nkernel void k(global int* a) { a[get_global_id(0)] = table[1005 + a[get_global_id(0)]]; }"), CL_SUCCESS);
  EXPECT_EQ(value_of(program), 5);
}

TEST_F(Extremes, SourceInManyStrings) {
  std::vector<const char*> strings;
  std::vector<std::size_t> lengths;
  for (const char& c : kWrite) {
    strings.push_back(&c);
    lengths.push_back(1);
    strings.push_back("never read");
    lengths.push_back(0);
    strings.back() = "";
  }
  cl_int error = CL_SUCCESS;
  const Program pieces(clCreateProgramWithSource(context, static_cast<cl_uint>(strings.size()), strings.data(), lengths.data(), &error));
  ASSERT_EQ(error, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(pieces, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(value_of(pieces), 5);
}

// ---- options ----------------------------------------------------------------------------------------------------------

TEST_F(Extremes, UnusualDefinitions) {
  const std::string use_v = "kernel void k(global int* a) { a[get_global_id(0)] = V; }";
  for (const char* options : {"-DV=5", "-D V=5", "-D  V=5", "  -DV=5  ", "-DV=W -DW=5", "-DV=(2+3)",
                              "-DV=0x5", "-D V=5 -D UNUSED", "-DV=-W -DW=-5"})
    EXPECT_TRUE(build(use_v, options) == CL_SUCCESS && value_of(program) == 5) << options;
  EXPECT_TRUE(build(use_v + "\n#if V != 1\n#error\n#endif", "-DV") == CL_SUCCESS && value_of(program) == 1);
  ASSERT_EQ(build("#ifdef V\n" + kWrite + "#endif", "-DV="), CL_SUCCESS);
  EXPECT_EQ(value_of(program), 5);
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "-DM" + std::to_string(i) + "=" + std::to_string(i) + " ";
  EXPECT_TRUE(build(use_v, many + "-DV=M1999-1994") == CL_SUCCESS && value_of(program) == 5);
  const std::string name(10'000, 'n');
  EXPECT_TRUE(build(use_v, "-DV=" + name + " -D" + name + "=5") == CL_SUCCESS && value_of(program) == 5);
}

TEST_F(Extremes, QuotedDefinitions) {
  NOT_ON_POCL("takes no quotes around a whole option");
  const std::string use_v = "kernel void k(global int* a) { a[get_global_id(0)] = V; }";
  for (const char* options : {"-DV=\"2 + 3\"", "-D \"V=2 + 3\"", "\"-DV=2 + 3\""})
    EXPECT_TRUE(build(use_v, options) == CL_SUCCESS && value_of(program) == 5) << options;
}

TEST_F(Extremes, DefinitionsOfNothing) {
  NOT_ON_POCL("crashes at an option that lacks its value");
  for (const char* options : {"-D", "-D ", "-DV=5 -D", "-I"})
    EXPECT_EQ(build(kWrite, options), CL_INVALID_BUILD_OPTIONS) << options;
  for (const char* options : {"-D1V=5", "-D=5", "-D-cl-opt-disable", "-D(", "-DV(x=5"}) {
    const cl_int error = build(kWrite, options);
    EXPECT_TRUE(error == CL_INVALID_BUILD_OPTIONS || error == CL_BUILD_PROGRAM_FAILURE || error == CL_SUCCESS)
        << options << ": " << error;
  }
  expect_alive();
}

// ---- nothing at all ---------------------------------------------------------------------------------------------------

TEST_F(Extremes, ZeroSizes) {
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_WRITE, 0, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  const Program built = session.build(
      "kernel void k(global int* a, local int* t, int n) { a[0] = n; if (n > 9) t[0] = n; }");
  const Kernel kernel = session.kernel(built, "k");
  // OpenCL 3.1 API §5.9.2: no local memory is needed.
  EXPECT_EQ(clSetKernelArg(kernel, 1, 0, nullptr), has_opencl_3_1(device) ? CL_SUCCESS : CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 0, &error), CL_INVALID_ARG_SIZE);
  const Mem buffer = session.buffer(64);
  const cl_buffer_region nothing{0, 0};
  EXPECT_EQ(clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &nothing, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
  const std::size_t no_bytes = 0;
  const unsigned char* empty = reinterpret_cast<const unsigned char*>("");
  cl_int status = CL_SUCCESS;
  EXPECT_EQ(clCreateProgramWithBinary(context, 1, &device, &no_bytes, &empty, &status, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateKernelsInProgram(built, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  expect_alive();
}

TEST_F(Extremes, TransfersOfNothing) {
  const Mem buffer = session.buffer(64);
  char byte = 1;
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 64, 0, &byte, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 0, &byte, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &byte, 1, 3, 0, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 65, 0, &byte, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 1, SIZE_MAX, &byte, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

// ---- binaries ---------------------------------------------------------------------------------------------------------

class DamagedBinaries : public Extremes {
 protected:
  using Bytes = std::vector<unsigned char>;
  /// The first error on the way from `bytes` to a kernel's result.
  cl_int use(const Bytes& bytes) {
    const unsigned char* at = bytes.data();
    const std::size_t size = bytes.size();
    cl_int error = CL_SUCCESS, status = CL_SUCCESS;
    program = Program(clCreateProgramWithBinary(context, 1, &device, &size, &at, &status, &error));
    if (error != CL_SUCCESS) return error;
    error = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    return error != CL_SUCCESS ? error : error_of([&] { value_of(program); });
  }
};

// Bits turned, bytes cut out, put in or moved, ends cut off: at random, but the same each time.
TEST_F(DamagedBinaries, AtRandom) {
  NOT_ON_POCL("has no checksum and may crash");
  const Program built = session.build(kWrite);
  const Program object = session.create_program(kWrite);
  ASSERT_EQ(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  std::mt19937 random(4711);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  for (const Bytes& good : {binary_of(built), binary_of(object)}) {
    for (int round = 0; round < 300; ++round) {
      Bytes bad = good;
      const std::size_t at = below(bad.size()), count = 1 + below(std::min<std::size_t>(64, bad.size() - at));
      const auto place = bad.begin() + static_cast<std::ptrdiff_t>(at);
      switch (random() % 6) {
        case 0: bad[at] ^= static_cast<unsigned char>(1u << below(8)); break;
        case 1: bad.resize(std::max<std::size_t>(1, at)); break;
        case 2: bad.erase(place, place + static_cast<std::ptrdiff_t>(count)); break;
        case 3: bad.insert(place, count, static_cast<unsigned char>(random())); break;
        case 4: bad.insert(bad.end(), count, 0); break;
        default:
          for (std::size_t i = 0; i < count; ++i) bad[at + i] = static_cast<unsigned char>(random());
      }
      if (bad == good || bad.empty()) continue;
      EXPECT_EQ(use(bad), CL_INVALID_BINARY) << "round " << round << ", " << bad.size() << " of " << good.size() << " bytes";
    }
  }
  EXPECT_EQ(use(binary_of(built)), CL_SUCCESS);
}

// ---- after a failure --------------------------------------------------------------------------------------------------

TEST_F(Extremes, ProgramsThatFailedAreUsed) {
  ASSERT_EQ(build("kernel void k(global int* a) { absent(a); }"), CL_BUILD_PROGRAM_FAILURE);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateKernel(program, "k", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
  cl_uint count = 7;
  EXPECT_EQ(clCreateKernelsInProgram(program, 0, nullptr, &count), CL_INVALID_PROGRAM_EXECUTABLE);
  std::size_t kernels = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr),
            CL_INVALID_PROGRAM_EXECUTABLE);
  cl_build_status status = CL_BUILD_NONE;
  EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
  EXPECT_EQ(status, CL_BUILD_ERROR);
  // Once more, and then right.
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-Dabsent(a)=a[get_global_id(0)]=5", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(value_of(program), 5);
}

TEST_F(Extremes, LinkingWhatFailed) {
  NOT_ON_POCL("aborts when it links a program that was never compiled");
  const Program failed = session.create_program("kernel void k(");
  EXPECT_EQ(clCompileProgram(failed, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr), CL_COMPILE_PROGRAM_FAILURE);
  const Program untouched = session.create_program(kWrite);
  for (cl_program part : {failed.get(), untouched.get()}) {
    cl_int error = CL_SUCCESS;
    const Program linked(clLinkProgram(context, 0, nullptr, "", 1, &part, nullptr, nullptr, &error));
    EXPECT_EQ(error, CL_INVALID_OPERATION);
  }
  expect_alive();
}

TEST_F(Extremes, CommandsAfterAFailedOne) {
  const Mem buffer = session.buffer(64);
  cl_int error = CL_SUCCESS;
  const Event user(clCreateUserEvent(context, &error));
  const cl_event waits[] = {user};
  char bytes[64];
  Event failed;
  ASSERT_EQ(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 64, bytes, 1, waits, failed.out()), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(user, -77), CL_SUCCESS);
  const cl_event both[] = {failed};
  EXPECT_EQ(clWaitForEvents(1, both), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cl_int status = 0;
  EXPECT_EQ(clGetEventInfo(failed, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
  EXPECT_LT(status, 0);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  expect_alive();
}

// ---- all at once ------------------------------------------------------------------------------------------------------

TEST_F(Extremes, BuildsBesideLaunches) {
  constexpr int kBuilders = 3, kBuilds = 4;
  const Program inc = session.build("kernel void inc(global int* a) { a[get_global_id(0)] += 1; }");
  std::atomic<int> wrong{0}, building{kBuilders};
  std::vector<std::thread> threads;
  for (int t = 0; t < kBuilders; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kBuilds; ++i) {
        // Every third has an error; cached results of earlier runs count, too.
        const int value = 100 * t + i;
        const bool good = value % 3 != 0;
        const Program mine = session.create_program("kernel void k(global int* a) { a[get_global_id(0)] = " +
                                                    std::to_string(value) + (good ? "; }" : " }"));
        const cl_int error = clBuildProgram(mine, 0, nullptr, "", nullptr, nullptr);
        if (error != (good ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE) || (good && value_of(mine) != value)) ++wrong;
      }
      --building;
    });
  const Queue own = session.queue(0);
  const Kernel kernel = session.kernel(inc, "inc");
  const Mem buffer = session.upload(std::vector<cl_int>(256, 0));
  set_args(kernel, buffer);
  const std::size_t global = 256;
  int launches = 0;
  while (building > 0 || launches < 10) {
    if (clEnqueueNDRangeKernel(own, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr) != CL_SUCCESS) ++wrong;
    if (++launches % 64 == 0) clFinish(own);
  }
  clFinish(own);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(session.download<cl_int>(buffer, 256), std::vector<cl_int>(256, launches));
}

/// A chain of commands, each enqueued by the callback of the one before it.
struct Relay {
  const Session* session;
  cl_kernel kernel;
  cl_mem buffer;
  std::atomic<int> left{0};
  std::atomic<int> errors{0};
  std::atomic<bool> done{false};
  void check(cl_int code) {
    if (code != CL_SUCCESS) ++errors;
  }
};

void CL_CALLBACK pass_on(cl_event event, cl_int status, void* data) {
  auto& relay = *static_cast<Relay*>(data);
  relay.check(status);
  // Objects are made and released, and questions asked, in the callback.
  relay.check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  cl_int error = CL_SUCCESS;
  const cl_mem scratch = clCreateBuffer(relay.session->context(), CL_MEM_READ_WRITE, 4096, nullptr, &error);
  relay.check(error);
  relay.check(clReleaseMemObject(scratch));
  relay.check(clReleaseEvent(event));
  if (--relay.left == 0) {
    relay.done = true;
    return;
  }
  const std::size_t global = 64;
  cl_event next = nullptr;
  relay.check(clEnqueueNDRangeKernel(relay.session->queue(), relay.kernel, 1, nullptr, &global, nullptr, 0, nullptr, &next));
  if (next == nullptr) {
    relay.done = true;
    return;
  }
  relay.check(clSetEventCallback(next, CL_COMPLETE, pass_on, data));
  relay.check(clFlush(relay.session->queue()));
}

TEST_F(Extremes, CallbacksThatCallTheApi) {
  const Program inc = session.build("kernel void inc(global int* a) { a[get_global_id(0)] += 1; }");
  const Kernel kernel = session.kernel(inc, "inc");
  const Mem buffer = session.upload(std::vector<cl_int>(64, 0));
  set_args(kernel, buffer);
  // Outlives the test, should it fail.
  Relay& relay = *new Relay{&session, kernel, buffer};
  relay.left = 50;
  const std::size_t global = 64;
  cl_event first = nullptr;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, &first), CL_SUCCESS);
  ASSERT_EQ(clSetEventCallback(first, CL_COMPLETE, pass_on, &relay), CL_SUCCESS);
  clFlush(queue);
  for (int i = 0; i < 30'000 && !relay.done; ++i) usleep(1000);
  ASSERT_TRUE(relay.done);
  EXPECT_EQ(relay.errors, 0);
  EXPECT_EQ(session.download<cl_int>(buffer, 64), std::vector<cl_int>(64, 50));
}

void CL_CALLBACK replace_buffer(cl_mem, void* data) {
  auto& relay = *static_cast<Relay*>(data);
  cl_int error = CL_SUCCESS;
  const cl_mem another = clCreateBuffer(relay.session->context(), CL_MEM_READ_WRITE, 4096, nullptr, &error);
  relay.check(error);
  if (--relay.left > 0) relay.check(clSetMemObjectDestructorCallback(another, replace_buffer, data));
  else relay.done = true;
  relay.check(clReleaseMemObject(another));
}

TEST_F(Extremes, DestructorsThatMakeBuffers) {
  Relay relay{&session, nullptr, nullptr};
  relay.left = 20;
  Mem buffer = session.buffer(64);
  ASSERT_EQ(clSetMemObjectDestructorCallback(buffer, replace_buffer, &relay), CL_SUCCESS);
  buffer.reset();
  for (int i = 0; i < 30'000 && !relay.done; ++i) usleep(1000);
  EXPECT_TRUE(relay.done);
  EXPECT_EQ(relay.errors, 0);
}

}  // namespace
}  // namespace weft::conformance
