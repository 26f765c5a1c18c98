// Shift registers in private memory: what they hold after each move, up and down, one work-item or many, whatever is read of them, and
// wherever.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

/// A body that is compiled for the device, as text, and for the host: work-item `id` of `all` makes y[id], y[id + all] and so on of x[id]
/// and so on.
#define BODY(name, ...)                           \
  const char* const name##_source = #__VA_ARGS__; \
  void name##_on_host(const cl_int* x, cl_int* y, cl_int n, cl_int id, cl_int all) { __VA_ARGS__ }

BODY(
    up, int r[300]; for (int i = 0; i < 300; ++i) r[i] = i; for (int t = 0; t < n; ++t) {
      for (int i = 299; i > 0; --i) r[i] = r[i - 1];
      r[0] = x[t * all + id] + r[299];
      y[t * all + id] = r[0] * 3 + r[150] * 5 + r[x[t * all + id] & 255];
    })
BODY(
    down, int r[300]; for (int i = 0; i < 300; ++i) r[i] = i * id; for (int t = 0; t < n; ++t) {
      r[7] += t;
      for (int i = 0; i < 299; ++i) r[i] = r[i + 1];
      if (x[t * all + id] & 1) r[299] = x[t * all + id];
      y[t * all + id] = r[0] * 3 + r[298] * 5 + r[299];
    })
BODY(
    uneven, int r[300]; for (int i = 0; i < 300; ++i) r[i] = i + id; for (int t = 0; t < n - (id & 3) * 100 && x[t * all + id] != 77; ++t) {
      for (int i = 299; i > 0; --i) r[i] = r[i - 1];
      r[0] = x[t * all + id];
      if (t % 5 == id % 5) continue;
      r[299 - t % 300] ^= t;
      y[t * all + id] = r[299] + r[200];
    })
BODY(
    twice, int r[300]; int s[400]; for (int i = 0; i < 300; ++i) r[i] = i; for (int i = 0; i < 400; ++i) s[i] = -i;
    for (int t = 0; t < n; ++t) {
      for (int i = 299; i > 0; --i) r[i] = r[i - 1];
      for (int i = 0; i < 399; ++i) s[i] = s[i + 1];
      for (int i = 299; i > 0; --i) r[i] = r[i - 1];
      s[399] = r[299];
      r[0] = x[t * all + id] + s[0];
      y[t * all + id] = r[0] + r[1] + r[2] + s[398];
    })
BODY(
    nested, int r[300]; for (int i = 0; i < 300; ++i) r[i] = i; for (int t = 0; t < n; t += 50) for (int u = t; u < t + 50 && u < n; ++u) {
      for (int i = 299; i > 0; --i) r[i] = r[i - 1];
      r[0] = x[u * all + id];
      y[u * all + id] = r[0] + r[45] + r[299];
    })
BODY(
    behind, int r[300]; for (int i = 0; i < 300; ++i) r[i] = i; for (int t = 0; t < n; ++t) {
      for (int i = 299; i > 0; --i) r[i] = r[i - 1];
      r[0] = x[t * all + id];
    } for (int t = 0; t < n; ++t) y[t * all + id] = r[t % 300];)
BODY(
    sometimes, int r[300]; for (int i = 0; i < 300; ++i) r[i] = i; for (int t = 0; t < n; ++t) {
      if (x[t * all + id] & 2)
        for (int i = 299; i > 0; --i) r[i] = r[i - 1];
      r[0] = x[t * all + id];
      y[t * all + id] = r[1] + r[299];
    })

class MovingWindows : public ApiTest {
 protected:
  void check(const char* source, void (*on_host)(const cl_int*, cl_int*, cl_int, cl_int, cl_int)) {
    const Program program = session.build(
        "kernel void made(global const int* x, global int* y, int n) { int id = get_global_id(0); int all = get_global_size(0); " +
        std::string(source) + "}");
    for (const std::size_t size : {1u, 32u, 80u})
      for (const std::size_t local : {std::size_t{1}, size == 80 ? std::size_t{40} : size})
        for (const cl_int n : {0, 1, 299, 300, 301, 302, 950}) {
          SCOPED_TRACE(std::to_string(size) + " work-items in groups of " + std::to_string(local) + ", " + std::to_string(n) + " steps");
          std::vector<cl_int> x(size * n + 1), want(size * n + 1, 5);
          for (std::size_t i = 0; i < x.size(); ++i) x[i] = cl_int((i * 2654435761u) >> 20);
          const Mem from = session.upload(x), to = session.upload(want);
          for (std::size_t id = 0; id < size; ++id) on_host(x.data(), want.data(), n, cl_int(id), cl_int(size));
          session.launch(session.kernel(program, "made"), {{size}, {local}}, from, to, n);
          ASSERT_EQ(session.download<cl_int>(to, want.size()), want);
        }
  }
};

TEST_F(MovingWindows, Up) { check(up_source, up_on_host); }
TEST_F(MovingWindows, Down) { check(down_source, down_on_host); }
TEST_F(MovingWindows, UnevenLoops) { check(uneven_source, uneven_on_host); }
TEST_F(MovingWindows, TwoArraysOneTwice) { check(twice_source, twice_on_host); }
TEST_F(MovingWindows, LoopsInLoops) { check(nested_source, nested_on_host); }
TEST_F(MovingWindows, ReadBehindTheLoop) { check(behind_source, behind_on_host); }
TEST_F(MovingWindows, MovedUnderACondition) { check(sometimes_source, sometimes_on_host); }

}  // namespace
}  // namespace weft::conformance
