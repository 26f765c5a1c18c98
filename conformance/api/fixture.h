// What API tests share: a session on the device under test, and the reasons for which a test is left out.
#pragma once

#include <gtest/gtest.h>

#include <numeric>

#include "common/session.h"

namespace weft::conformance {

class ApiTest : public testing::Test {
 protected:
  Session session{test_device()};
  cl_device_id device = session.device();
  cl_context context = session.context();
  cl_command_queue queue = session.queue();

  /// Whether CL_DEVICE_EXTENSIONS names it.
  bool has_extension(const std::string& name) {
    return (" " + device_string(device, CL_DEVICE_EXTENSIONS) + " ").find(" " + name + " ") != std::string::npos;
  }
};

/// 0, 1, 2, ...
template <typename T>
std::vector<T> iota(std::size_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), T{});
  return values;
}

/// `value` + 1, as a kernel computes it that no other value has.
inline cl_int answer(const Session& session, int value) {
  const Program program = session.build("kernel void k(global int* a, int b) { a[get_global_id(0)] = b + " +
                                        std::to_string(value) + "; }");
  const Mem out = session.buffer(4 * 64);
  session.launch(session.kernel(program, "k"), {{64}, {32}}, out, cl_int{1});
  return session.download<cl_int>(out, 64)[63];
}

/// CL_PROGRAM_BINARIES of a program with one device.
inline std::vector<unsigned char> binary_of(cl_program program) {
  std::size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "sizes");
  std::vector<unsigned char> bytes(size);
  unsigned char* at = bytes.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof at, &at, nullptr), "binaries");
  return bytes;
}

/// The code of the ClError that `call` throws; CL_SUCCESS when it throws none.
template <typename F>
cl_int error_of(F call) {
  try {
    call();
  } catch (const ClError& error) {
    return error.code;
  }
  return CL_SUCCESS;
}

// For what the specification leaves open and Weft defines.
#define WEFT_ONLY(reason) \
  if (!::weft::conformance::testing_weft()) GTEST_SKIP() << "Weft only: " << reason
// For what PoCL 3.1 is known to do against the specification.
#define NOT_ON_POCL(reason) \
  if (::weft::conformance::testing_pocl()) GTEST_SKIP() << "PoCL: " << reason

}  // namespace weft::conformance
