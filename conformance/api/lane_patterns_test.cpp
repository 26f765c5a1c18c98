// Work-items that read and write at known distances from each other though not evenly: halves, pairs, neighbours that change places; of all
// widths of elements, behind conditions, for all kinds of groups and offsets.
#include <array>
#include <functional>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class LanePatterns : public ApiTest {
 protected:
  struct Pattern {
    const char* index;  ///< of x, an int
    std::function<int(int)> at;
  };
  const std::vector<Pattern> patterns = {
      {"x >> 1", [](int x) { return x >> 1; }},
      {"(x & ~1) + 1", [](int x) { return (x & ~1) + 1; }},
      {"x ^ 3", [](int x) { return x ^ 3; }},
      {"x | 1", [](int x) { return x | 1; }},
      {"x & 3", [](int x) { return x & 3; }},
      {"x % 2 * 5 + x / 4", [](int x) { return x % 2 * 5 + x / 4; }},
      {"(x + 1) / 2", [](int x) { return (x + 1) / 2; }},
      {"((x >> 2) << 3) + (x & 3)", [](int x) { return ((x >> 2) << 3) + (x & 3); }},
      {"3 * x + 1", [](int x) { return 3 * x + 1; }},
      {"2 * x", [](int x) { return 2 * x; }},
      {"700 - (x >> 1)", [](int x) { return 700 - (x >> 1); }},
      {"(uint)(x - 1) / 2 % 1024", [](int x) { return static_cast<int>((static_cast<unsigned>(x) - 1) / 2 % 1024); }},
  };
  struct Condition {
    const char* text;
    std::function<bool(int)> holds;
  };
  const std::vector<Condition> conditions = {
      {"true", [](int) { return true; }},
      {"x > 0 && x < 150", [](int x) { return x > 0 && x < 150; }},
      {"x & 1", [](int x) { return (x & 1) != 0; }},
      {"flags[x] < 3", [](int x) { return x % 7 < 3; }},
  };
  struct Range {
    std::size_t count, local, offset;
  };
  const std::vector<cl_int> flags = [] {
    std::vector<cl_int> result(512);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<cl_int>(i % 7);
    return result;
  }();

  /// None and another one: with all, compilers take minutes.
  std::array<std::size_t, 2> conditions_of(std::size_t pattern) const { return {0, 1 + pattern % (conditions.size() - 1)}; }

  template <typename T>
  void check_loads(const std::string& type, std::size_t width, const std::vector<Range>& ranges = {{192, 16, 0}, {96, 48, 256}}) {
    std::string source;
    for (std::size_t p = 0; p < patterns.size(); ++p)
      for (const std::size_t c : conditions_of(p))
        source += "kernel void k" + std::to_string(p) + "_" + std::to_string(c) + "(global const " + type + "* in, global " + type +
                  "* out, global const int* flags) { int x = get_global_id(0); if (" + conditions[c].text + ") out[x - (int)get_global_offset(0)] = in[" +
                  patterns[p].index + "]; }\n";
    const Program program = session.build(source);
    std::vector<T> in(2048 * width);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 7 % 251);
    const Mem from = session.upload(in), by = session.upload(flags);
    for (std::size_t p = 0; p < patterns.size(); ++p)
      for (const std::size_t c : conditions_of(p)) {
        const std::string name = "k" + std::to_string(p) + "_" + std::to_string(c);
        const Kernel kernel = session.kernel(program, name.c_str());
        for (const Range& range : ranges) {
          SCOPED_TRACE(type + " " + patterns[p].index + " if " + conditions[c].text + ", " + std::to_string(range.count) + " by " +
                       std::to_string(range.local) + " from " + std::to_string(range.offset));
          const Mem to = session.upload(std::vector<T>(range.count * width, T(77)));
          session.launch(kernel, {{range.count}, {range.local}, {range.offset}}, from, to, by);
          const auto out = session.download<T>(to, range.count * width);
          for (std::size_t i = 0; i < range.count; ++i) {
            const int x = static_cast<int>(i + range.offset);
            for (std::size_t e = 0; e < width; ++e) {
              const T wanted = conditions[c].holds(x) ? in[static_cast<std::size_t>(patterns[p].at(x)) * width + e] : T(77);
              ASSERT_EQ(out[i * width + e], wanted) << x;
            }
          }
        }
      }
  }
};

TEST_F(LanePatterns, Bytes) { check_loads<cl_uchar>("uchar", 1, {{256, 64, 0}, {192, 16, 0}, {96, 48, 256}, {66, 33, 5}}); }
TEST_F(LanePatterns, Shorts) { check_loads<cl_short>("short", 1); }
TEST_F(LanePatterns, Floats) { check_loads<cl_float>("float", 1, {{256, 64, 0}, {96, 8, 64}}); }
TEST_F(LanePatterns, Longs) { check_loads<cl_long>("long", 1); }
TEST_F(LanePatterns, Pixels) { check_loads<cl_uchar>("uchar4", 4); }
TEST_F(LanePatterns, Quads) { check_loads<cl_float>("float4", 4); }

TEST_F(LanePatterns, StoresInOtherOrder) {
  const Program program = session.build(R"(
kernel void swap(global const short* in, global short* out) { int x = get_global_id(0); out[x ^ 1] = in[x ^ 7]; }
kernel void some(global const short* in, global short* out) { int x = get_global_id(0); if (x > 2 && x < 101) out[x ^ 1] = in[x]; }
kernel void pixels(global const uchar4* in, global uchar4* out) { int x = get_global_id(0); out[x ^ 5] = in[x >> 1]; })");
  std::vector<cl_short> in(1024);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<cl_short>(i * 31);
  const Mem from = session.upload(in);
  for (const std::size_t local : {64, 16, 8, 128}) {
    SCOPED_TRACE(local);
    const std::vector<cl_short> before(256, 77);
    const Mem to = session.upload(before);
    session.launch(session.kernel(program, "swap"), {{256}, {local}}, from, to);
    auto out = session.download<cl_short>(to, 256);
    for (std::size_t i = 0; i < 256; ++i) ASSERT_EQ(out[i], in[i ^ 1 ^ 7]) << i;
    const Mem some = session.upload(before);
    session.launch(session.kernel(program, "some"), {{128}, {local}}, from, some);
    out = session.download<cl_short>(some, 256);
    for (std::size_t i = 0; i < 256; ++i) ASSERT_EQ(out[i], (i ^ 1) > 2 && (i ^ 1) < 101 ? in[i ^ 1] : 77) << i;
    session.launch(session.kernel(program, "pixels"), {{128}, {local}}, from, to);
    out = session.download<cl_short>(to, 256);
    for (std::size_t i = 0; i < 128; ++i)
      for (std::size_t e = 0; e < 2; ++e) ASSERT_EQ(out[2 * i + e], in[2 * ((i ^ 5) >> 1) + e]) << i;
  }
}

// Numbers without a sign that wrap around in the middle of a warp.
TEST_F(LanePatterns, WrapsAround) {
  const Program program = session.build(
      "kernel void k(global const float* in, global float* out, uint from) { uint x = get_global_id(0); out[x] = in[from + (x >> 1) & 0xffffffffu]; }");
  std::vector<cl_float> in(256);
  std::iota(in.begin(), in.end(), 0.0F);
  const Mem from = session.upload(in), to = session.buffer(4 * 64);
  // The first lanes would read what is not there, and do not run.
  const Program guarded = session.build(
      "kernel void k(global const float* in, global float* out, uint from) { uint x = get_global_id(0); out[x] = -1; if (x >= 20) out[x] = in[from + (x >> 1)]; }");
  session.launch(session.kernel(program, "k"), {{64}, {64}}, from, to, cl_uint{7});
  auto out = session.download<cl_float>(to, 64);
  for (std::size_t i = 0; i < 64; ++i) ASSERT_EQ(out[i], in[7 + i / 2]) << i;
  session.launch(session.kernel(guarded, "k"), {{64}, {64}}, from, to, cl_uint(-10));
  out = session.download<cl_float>(to, 64);
  for (std::size_t i = 0; i < 64; ++i) ASSERT_EQ(out[i], i < 20 ? -1.0F : in[i / 2 - 10]) << i;
}

}  // namespace
}  // namespace weft::conformance
