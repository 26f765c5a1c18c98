// Kernels that place what each work-item reads or writes by two numbers of the launch, checked item by item at local sizes that fill warps, leave partial ones
// and are smaller than one.
#pragma once

#include "api/fixture.h"

namespace weft::conformance {

class PlacesTest : public ApiTest {
 protected:
  static constexpr int kItems = 384, kElements = 4096;

  explicit PlacesTest(const char* source) : program(session.build(source)) {}

  Program program;
  std::vector<cl_int> in = [] {
    std::vector<cl_int> values(kElements);
    std::uint32_t state = 7;
    for (cl_int& value : values) value = static_cast<cl_int>((state = state * 1664525u + 1013904223u) >> 8);
    return values;
  }();

  /// Of `kernel void name(global const int* in, global int* out, Number from, Number n)`.
  template <typename Number, typename Host>
  void check(const char* name, Number from, Number n, const Host& host) {
    const Kernel kernel = session.kernel(program, name);
    const Mem source = session.upload(in);
    for (const std::size_t local : {128, 48, 6}) {
      const Mem to = session.upload(std::vector<cl_int>(kItems, -7));
      session.launch(kernel, {{kItems}, {local}}, source, to, from, n);
      const auto got = session.download<cl_int>(to, kItems);
      for (int i = 0; i < kItems; ++i) ASSERT_EQ(got[i], host(i)) << name << " of " << n << " from " << from << ", item " << i << ", groups of " << local;
    }
  }
};

}  // namespace weft::conformance
