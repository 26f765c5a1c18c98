// Sums that are OpenCL vectors, over loops and barriers: of vectors, of numbers that all components share or that each work-item has for itself,
// written as vectors and component by component, in groups of several shapes. All numbers are small and whole, so sums are exact.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
#define TILES \
  const int x = get_local_id(0), y = get_local_id(1), width = get_local_size(0), items = width * get_local_size(1); \
  const int item = y * width + x, first = get_group_id(0) * items; \
  local V vectors[256]; \
  local T numbers[256];
#define FILL \
    vectors[item] = VLOAD(item + t, a); \
    numbers[item] = b[item + 2 * t]; \
    barrier(CLK_LOCAL_MEM_FENCE);

// A row's vector by a column's number.
kernel void product(global const T* a, global const T* b, global T* c, int n) {
  TILES
  V sums[2] = {(V)(1), (V)(2)};
  for (int t = 0; t < n; ++t) {
    FILL
    for (int k = 0; k < 5; ++k) {
      sums[0] += vectors[x] * numbers[y * width + k % width];
      sums[1] = sums[1] * (T)2 + vectors[(x + k) % width];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[1] -= sums[1] / (T)2;
  }
  VSTORE(sums[0] + sums[1], first + item, c);
}
// By a number of its own, and only where a condition holds.
kernel void conditional(global const T* a, global const T* b, global T* c, int n) {
  TILES
  V sum = VLOAD(item, a);
  for (int t = 0; t < n; ++t) {
    FILL
    if ((item + t) % 3 != 0) sum += vectors[(item + t) % items] * numbers[(item * 7) % items];
    const V mine = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = mine + vectors[item];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  VSTORE(sum, first + item, c);
}
// A component that is used alone, too.
kernel void apart(global const T* a, global const T* b, global T* c, int n) {
  TILES
  V sum = (V)(0);
  T other = 0;
  for (int t = 0; t < n; ++t) {
    FILL
    for (int k = 0; k < 3; ++k) {
      sum += vectors[(x + k) % items] * (T)(item % 4);
      other += sum.s1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  VSTORE(sum + other, first + item, c);
}
// By components, in no order.
kernel void by_components(global const T* a, global const T* b, global T* c, int n) {
  TILES
  V sum = VLOAD(item, a);
  V last = (V)(0);
  for (int t = 0; t < n; ++t) {
    FILL
    for (int k = 0; k < 3; ++k) {
      const V v = vectors[(x + k) % items];
      const T f = numbers[(y * width + k) % items];
      EACH
      last = v;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  VSTORE(sum + last, first + item, c);
}
)";

template <typename T>
class VectorSums : public ApiTest {
 protected:
  void check(const std::string& type, unsigned count) {
    std::string each;
    for (const unsigned component : {1u, 0u, 3u, 2u, 7u, 5u, 6u, 4u})
      if (component < count) {
        const std::string s = ".s" + std::to_string(component);
        each += component % 2 ? "sum" + s + " += v" + s + " * f; " : "sum" + s + " = f * v" + s + " + sum" + s + "; ";
      }
    const std::string n = std::to_string(count);
    const std::string prefix = "#define T " + type + "\n#define V " + type + n + "\n#define VLOAD vload" + n + "\n#define VSTORE vstore" + n +
                               "\n#define EACH " + each + "\n";
    const Program program = session.build(prefix + kSource);
    for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{16, 16}, {32, 4}, {10, 6}})
      for (const char* name : {"product", "conditional", "apart", "by_components"}) expect(program, name, count, width, height);
  }

 private:
  static constexpr int kRounds = 3, kGroups = 2;

  void expect(const Program& program, const std::string& name, std::size_t count, std::size_t width, std::size_t height) {
    const std::size_t items = width * height;
    std::vector<T> a((items + kRounds) * count), b(items + 2 * kRounds);
    std::uint32_t state = 7;
    for (auto* values : {&a, &b})
      for (T& value : *values) value = static_cast<T>(((state = state * 1664525u + 1013904223u) >> 24) % 5);
    const Mem from = session.upload(a), by = session.upload(b), to = session.upload(std::vector<T>(kGroups * items * count, T(77)));
    session.launch(session.kernel(program, name.c_str()), {{kGroups * width, height}, {width, height}}, from, by, to, cl_int{kRounds});
    const auto got = session.download<T>(to, kGroups * items * count);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const std::size_t item = i / count % items;
      ASSERT_EQ(got[i], sum(name, a, b, count, width, items, item, i % count))
          << name << ", component " << i % count << " of " << count << " of item " << item << " of " << width << "x" << height;
    }
  }

  /// What `name` gives for one component of one work-item.
  static T sum(const std::string& name, const std::vector<T>& a, const std::vector<T>& b, std::size_t count, std::size_t width,
               std::size_t items, std::size_t item, std::size_t c) {
    const std::size_t x = item % width, y = item / width;
    const bool starts = name == "conditional" || name == "by_components";
    T sum = starts ? a[item * count + c] : T(name == "product"), other = name == "product" ? T(2) : T(0);
    T second = 0;  // component 1 of a sum
    for (std::size_t t = 0; t < kRounds; ++t) {
      const auto vector = [&](std::size_t i, std::size_t component) { return a[(i + t) * count + component]; };
      const auto number = [&](std::size_t i) { return b[i + 2 * t]; };
      if (name == "product") {
        for (std::size_t k = 0; k < 5; ++k) {
          sum += vector(x, c) * number(y * width + k % width);
          other = other * T(2) + vector((x + k) % width, c);
        }
        other -= other / T(2);
      } else if (name == "conditional") {
        if ((item + t) % 3 != 0) sum += vector((item + t) % items, c) * number(item * 7 % items);
        sum += vector(item, c);
      } else if (name == "apart") {
        for (std::size_t k = 0; k < 3; ++k) {
          sum += vector((x + k) % items, c) * static_cast<T>(item % 4);
          second += vector((x + k) % items, 1) * static_cast<T>(item % 4);
          other += second;
        }
      } else {
        for (std::size_t k = 0; k < 3; ++k) {
          sum += vector((x + k) % items, c) * number((y * width + k) % items);
          other = vector((x + k) % items, c);
        }
      }
    }
    return sum + other;
  }
};

using VectorSumsOfFloats = VectorSums<cl_float>;
using VectorSumsOfInts = VectorSums<cl_int>;
using VectorSumsOfDoubles = VectorSums<cl_double>;

TEST_F(VectorSumsOfFloats, AreExact) {
  for (const unsigned count : {2u, 3u, 4u, 8u}) check("float", count);
}

TEST_F(VectorSumsOfInts, AreExact) {
  for (const unsigned count : {2u, 3u, 4u, 8u}) check("int", count);
}

TEST_F(VectorSumsOfDoubles, AreExact) {
  for (const unsigned count : {2u, 4u, 8u}) check("double", count);
}

}  // namespace
}  // namespace weft::conformance
