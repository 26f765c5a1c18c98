// Loops over chunks of the work-items' own, as programs write for processors: each has its own, the last ones a shorter one or none. However a platform runs
// the work-items, side by side or one after the other, the numbers are the same.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
#define CHUNK const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n)
kernel void added(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int i = begin; i < end; ++i) y[i] = y[i] * 3 + x[i];
}
kernel void downwards(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int i = end - 1; i >= begin; --i) y[i] = y[i] * 3 + x[i];
}
kernel void odd(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int i = begin; i < end; ++i)
    if (x[i] & 1) y[i] = y[i] * 3 + x[i];
}
kernel void running(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int i = begin + 1; i < end; ++i) y[i] = y[i - 1] * 3 + x[i];
}
)";

template <typename T>
class Chunks : public ApiTest {
 protected:
  static constexpr int kCount = 3000;

  /// What chunk after chunk makes of `x` and `y`, where `x` may be `y`.
  static void run(const std::string& name, const std::vector<T>& x, std::vector<T>& y, int n, int chunk, int items) {
    for (int item = 0; item < items; ++item) {
      const int begin = item * chunk, end = std::min(begin + chunk, n);
      const auto step = [&](int i, int from) { y[std::size_t(i)] = T(y[std::size_t(from)] * 3 + x[std::size_t(i)]); };
      if (name == "downwards")
        for (int i = end - 1; i >= begin; --i) step(i, i);
      for (int i = begin; i < end && name == "added"; ++i) step(i, i);
      for (int i = begin; i < end && name == "odd"; ++i)
        if (x[std::size_t(i)] & 1) step(i, i);
      for (int i = begin + 1; i < end && name == "running"; ++i) step(i, i - 1);
    }
  }

  void check(const char* type) {
    const Program program = this->session.build(kSource, std::string("-DT=") + type);
    std::vector<T> x(kCount), y(kCount);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = T(i * 7919 % 10007);
      y[i] = T(i * 104729 % 7919);
    }
    for (const char* name : {"added", "downwards", "odd", "running"}) {
      const Kernel kernel = this->session.kernel(program, name);
      for (const std::size_t local : {1, 7, 32})
        for (const auto [n, chunk] : {std::pair{2990, 50}, {2990, 100}, {3000, 47}, {1000, 500}, {60, 64}, {0, 64}})
          for (const bool in_place : {false, true}) {
            SCOPED_TRACE(std::string(name) + ' ' + std::to_string(local) + ' ' + std::to_string(n) + ' ' + std::to_string(chunk) + (in_place ? " in place" : ""));
            const std::size_t items = (std::size_t(kCount / chunk + 1) + local - 1) / local * local;
            const Mem from = this->session.upload(x), to = this->session.upload(y);
            this->session.launch(kernel, {{items}, {local}}, in_place ? to : from, to, cl_int(n), cl_int(chunk));
            std::vector<T> expected = y;
            run(name, in_place ? expected : x, expected, n, chunk, int(items));
            ASSERT_EQ(this->session.template download<T>(to, y.size()), expected);
          }
    }
  }
};

using WordChunks = Chunks<cl_uint>;
using LongChunks = Chunks<cl_ulong>;
TEST_F(WordChunks, OfEachWorkItem) { check("uint"); }
TEST_F(LongChunks, OfEachWorkItem) { check("ulong"); }

}  // namespace
}  // namespace weft::conformance
