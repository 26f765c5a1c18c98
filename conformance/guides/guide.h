// What the tests of the guides' kernels share: sizes, local sizes, inputs.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "common/session.h"

namespace weft::conformance {

using Sizes = std::array<std::size_t, 3>;

class GuideTest : public testing::Test {
 protected:
  Session session{test_device()};

  /// Whether every size and local size is to be run (WEFT_GUIDES_FULL=1).
  static bool full() {
    const char* wanted = std::getenv("WEFT_GUIDES_FULL");
    return wanted && wanted[0] == '1';
  }

  Program build(const std::string& file, const std::string& options = "") const {
    return session.build(read_text(std::string(WEFT_GUIDE_KERNELS "/") + file), options);
  }

  /// Every local size of at most 512 work-items that divides `global`; a few of them in the quick run.
  static std::vector<std::vector<std::size_t>> local_sizes(const std::vector<std::size_t>& global) {
    std::vector<std::vector<std::size_t>> all;
    const auto at = [&](std::size_t d) { return d < global.size() ? global[d] : 1; };
    for (std::size_t z = 1; z <= at(2); ++z) {
      for (std::size_t y = 1; y <= at(1) && z <= 512 && at(2) % z == 0; ++y) {
        for (std::size_t x = 1; x <= at(0) && y * z <= 512 && at(1) % y == 0; ++x) {
          if (at(0) % x != 0 || x * y * z > 512) continue;
          std::vector<std::size_t> local = {x, y, z};
          local.resize(global.size());
          all.push_back(local);
        }
      }
    }
    if (full() || all.size() <= 8) return all;
    std::vector<std::vector<std::size_t>> some;
    for (std::size_t i = 0; i < 8; ++i) some.push_back(all[i * (all.size() - 1) / 7]);
    return some;
  }

  /// Values that are exact in float, and so are sums of a few thousand products of them.
  static std::vector<float> small_values(std::size_t count, unsigned seed) {
    std::vector<float> values(count);
    for (float& v : values) {
      seed = seed * 1664525u + 1013904223u;
      v = static_cast<float>(seed >> 29) - 3.0f;
    }
    return values;
  }

  static std::string text(const std::vector<std::size_t>& sizes) {
    std::string out;
    for (std::size_t s : sizes) out += (out.empty() ? "" : "x") + std::to_string(s);
    return out;
  }

  /// ASSERT_EQ of whole vectors would print millions of numbers.
  static void expect_same(const std::vector<float>& got, const std::vector<float>& want,
                          const std::string& what) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i)
      ASSERT_EQ(got[i], want[i]) << "element " << i << ", " << what;
  }
};

}  // namespace weft::conformance
