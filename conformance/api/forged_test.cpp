// Program binaries that someone has made by hand, with a checksum that is right: no memory error in this process, whatever they
// hold. Their kernels are not run: they are as good as any source.
#include <cstdlib>
#include <cstring>
#include <random>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr char kOptions[] = "-cl-std=CL3.0";  // pipes
constexpr std::size_t kChecksumAt = 8, kRestAt = 24, kBinaryAt = 40;

class Forged : public ApiTest {
 protected:
  void SetUp() override {
    WEFT_ONLY("others have no checksum and crash");
    const char* const process = std::getenv("WEFT_COMPILER_PROCESS");
    if (process && process == std::string("0")) GTEST_SKIP() << "LLVM reads the bitcode in this process";
  }

  static void seal(Bytes& bytes) {
    Bytes text(8);
    const std::uint64_t size = bytes.size() - kRestAt;
    std::memcpy(text.data(), &size, sizeof size);
    text.insert(text.end(), bytes.begin() + kRestAt, bytes.end());
    XXH128_canonical_t sum;
    XXH128_canonicalFromHash(&sum, XXH3_128bits(text.data(), text.size()));
    std::memcpy(bytes.data() + kChecksumAt, sum.digest, sizeof sum.digest);
  }
  /// Loads, builds and looks at all that a program may ask of its kernels, without running them. Whether it was built.
  bool use(const Bytes& bytes) {
    const unsigned char* at = bytes.data();
    const std::size_t size = bytes.size();
    cl_int error = CL_SUCCESS, status = CL_SUCCESS;
    const Program program(clCreateProgramWithBinary(context, 1, &device, &size, &at, &status, &error));
    if (!program) {
      EXPECT_EQ(error, CL_INVALID_BINARY);
      return false;
    }
    if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) {
      EXPECT_FALSE(session.build_log(program).empty());
      return false;
    }
    binary_of(program);
    cl_uint count = 0;
    if (clCreateKernelsInProgram(program, 0, nullptr, &count) != CL_SUCCESS) return true;
    std::vector<cl_kernel> kernels(count);
    if (clCreateKernelsInProgram(program, count, kernels.data(), nullptr) != CL_SUCCESS) return true;
    for (const cl_kernel raw : kernels) {
      const Kernel kernel(raw);
      cl_uint arguments = 0;
      check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr), "arguments");
      const Mem buffer = session.buffer(64);
      const Mem pipe(clCreatePipe(context, 0, 8, 16, nullptr, nullptr));
      const cl_mem handle = buffer, pipe_handle = pipe;
      for (cl_uint i = 0; i < arguments; ++i) {
        for (const cl_kernel_arg_info what : {CL_KERNEL_ARG_NAME, CL_KERNEL_ARG_TYPE_NAME}) {
          std::size_t length = 0;
          check(clGetKernelArgInfo(kernel, i, what, 0, nullptr, &length), "argument");
          std::string text(length, ' ');
          check(clGetKernelArgInfo(kernel, i, what, length, text.data(), nullptr), "argument");
        }
        const Bytes value(1 << 16);
        for (std::size_t of : {8, 4, 16, 1, 64, 128, 1024}) {
          if (clSetKernelArg(kernel, i, sizeof handle, &handle) == CL_SUCCESS ||
              clSetKernelArg(kernel, i, sizeof handle, &pipe_handle) == CL_SUCCESS || clSetKernelArg(kernel, i, of, nullptr) == CL_SUCCESS ||
              clSetKernelArg(kernel, i, of, value.data()) == CL_SUCCESS)
            break;
        }
      }
      // An empty range: the arguments are packed, and nothing runs.
      const std::size_t none = 0;
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &none, nullptr, 0, nullptr, nullptr);
    }
    return true;
  }
  const std::string source =
      "typedef struct { int4 a; char b[40]; } pair;\n"
      "kernel __attribute__((reqd_work_group_size(32, 1, 1))) void k(global int* a, int by, pair p, local float* l,"
      " read_only image2d_t image, sampler_t s, read_only pipe int in) { read_pipe(in, &by); local int t[32]; int i = get_local_id(0); t[i] = by + p.a.y + p.b[3];"
      " l[i] = read_imagef(image, s, (int2)(i, 0)).x; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[31 - i] + (int)l[0]; }\n"
      "kernel void second(constant float* c, global float* out) { out[get_global_id(0)] = sin(c[get_global_id(0)]); }";
};

TEST_F(Forged, ASealedBinaryIsTaken) {
  Bytes bytes = binary_of(session.build(source, kOptions));
  EXPECT_TRUE(use(bytes));
  const Bytes before = bytes;
  seal(bytes);
  EXPECT_EQ(bytes, before);  // this test seals as the platform does
}

TEST_F(Forged, DamageEverywhere) {
  const Bytes executable = binary_of(session.build(source, kOptions));
  const Program part = session.create_program(source);
  ASSERT_EQ(clCompileProgram(part, 0, nullptr, kOptions, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  const Bytes object = binary_of(part);
  std::mt19937 random(5);
  int taken = 0;
  const int rounds = std::getenv("WEFT_FORGED_ROUNDS") ? std::atoi(std::getenv("WEFT_FORGED_ROUNDS")) : 60;
  for (int round = 0; round < rounds; ++round) {
    Bytes bytes = round % 2 ? executable : object;
    const auto place = [&] {
      // A third of them in what is in front of the bitcode.
      const std::size_t end = random() % 3 ? bytes.size() : std::min<std::size_t>(bytes.size(), kBinaryAt + 700);
      return kBinaryAt + random() % (end - kBinaryAt);
    };
    for (int i = 0, count = 1 + static_cast<int>(random() % 4); i < count; ++i) {
      switch (random() % 5) {
        case 0: bytes[place()] = static_cast<unsigned char>(random()); break;
        case 1: bytes[place()] ^= static_cast<unsigned char>(1 << random() % 8); break;
        case 2: {
          const std::uint64_t word = random() % 2 ? ~std::uint64_t{0} >> random() % 64 : random();
          const std::size_t at = std::min(place(), bytes.size() - sizeof word);
          std::memcpy(bytes.data() + at, &word, sizeof word);
          break;
        }
        case 3: bytes.resize(std::max(kBinaryAt + 64, bytes.size() - random() % 64)); break;
        case 4: {
          const std::size_t from = place(), to = place(), size = std::min({random() % 32, bytes.size() - from, bytes.size() - to});
          std::memmove(bytes.data() + to, bytes.data() + from, size);
          break;
        }
      }
    }
    seal(bytes);
    taken += use(bytes);
  }
  RecordProperty("built", taken);
  const Mem out = session.upload(std::vector<cl_int>(64, 0));
  session.run("kernel void alive(global int* a) { a[get_global_id(0)] = 5; }", "alive", {{64}, {32}, {}}, out);
  EXPECT_EQ(session.download<cl_int>(out, 64)[63], 5);
}

}  // namespace
}  // namespace weft::conformance
