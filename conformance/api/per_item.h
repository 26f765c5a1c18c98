// Checks a kernel `k(global const int* in, global int* out)`, item by item, against a function of the host,
// at local sizes that fill warps, leave partial ones and are smaller than one.
#pragma once

#include <functional>

#include "api/fixture.h"

namespace weft::conformance {

class PerItemTest : public ApiTest {
 protected:
  using Host = std::function<cl_int(cl_int in, int item)>;

  /// A repeatable mixture of small and large values of both signs.
  static std::vector<cl_int> mixed_input(std::size_t count) {
    std::vector<cl_int> values(count);
    std::uint32_t state = 12345;
    for (std::size_t i = 0; i < count; ++i) {
      state = state * 1664525u + 1013904223u;
      values[i] = i % 3 == 0 ? static_cast<cl_int>(state) : static_cast<cl_int>(state >> 24) - 100;
    }
    return values;
  }

  void expect_items(const std::string& source, const Host& host,
                    const std::vector<std::size_t>& locals = {64, 7, 1, 40}) {
    const Program program = session.build(source);
    const Kernel kernel = session.kernel(program, "k");
    for (std::size_t local : locals) {
      const std::size_t count = local * 3;
      const std::vector<cl_int> in = mixed_input(count);
      const Mem from = session.upload(in);
      const Mem to = session.upload(std::vector<cl_int>(count, 0x5a5a5a5a));
      session.launch(kernel, {{count}, {local}}, from, to);
      const auto got = session.download<cl_int>(to, count);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(got[i], host(in[i], static_cast<int>(i))) << "item " << i << " of groups of " << local;
      }
    }
  }
};

}  // namespace weft::conformance
