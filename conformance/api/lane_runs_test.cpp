// Work-items that fill a tile with a border, as filters of images do: dealt out along its rows by quotients and remainders of their number,
// with indices that an edge clamps, mirrors, sends to the start of the image or wraps around it; of bytes, shorts, words and vectors, whole
// and behind a condition.
#include <algorithm>
#include <functional>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class LaneRuns : public ApiTest {
 protected:
  static constexpr int kWidth = 60, kHeight = 40, kSide = 16, kColumns = 19;

  struct Edge {
    const char* index;  ///< of x and y, w and h
    std::function<int(int, int)> at;
  };
  const std::vector<Edge> edges = {
      {"clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1)",
       [](int x, int y) { return std::clamp(y, 0, kHeight - 1) * kWidth + std::clamp(x, 0, kWidth - 1); }},
      {"(y * w + x < h * w && y * w + x > 0) ? y * w + x : 0",
       [](int x, int y) { return y * kWidth + x < kHeight * kWidth && y * kWidth + x > 0 ? y * kWidth + x : 0; }},
      {"(y < 0 ? -y : y >= h ? 2 * h - 2 - y : y) * w + (x < 0 ? -x : x >= w ? 2 * w - 2 - x : x)",
       [](int x, int y) {
         const auto mirrored = [](int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; };
         return mirrored(y, kHeight) * kWidth + mirrored(x, kWidth);
       }},
      {"(y + h) % h * w + (x + w) % w", [](int x, int y) { return (y + kHeight) % kHeight * kWidth + (x + kWidth) % kWidth; }},
      {"(uint)clamp(y, 0, h - 1) * (uint)w + (uint)clamp(x, 0, w - 1)",
       [](int x, int y) { return std::clamp(y, 0, kHeight - 1) * kWidth + std::clamp(x, 0, kWidth - 1); }},
      {"(long)clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1)",
       [](int x, int y) { return std::clamp(y, 0, kHeight - 1) * kWidth + std::clamp(x, 0, kWidth - 1); }},
  };

  template <typename T>
  void check(const std::string& type, std::size_t components, const char* condition, const std::function<bool(int)>& runs) {
    std::string source;
    for (std::size_t e = 0; e < edges.size(); ++e)
      source += "kernel void k" + std::to_string(e) + "(global const " + type + "* in, global " + type + "* out, int w, int h) {\n" +
                "  local " + type + " tile[256];\n  const int l = get_local_id(1) * 16 + get_local_id(0);\n" +
                "  const int x = (int)get_group_id(0) * 16 + l % 19 - 2, y = (int)get_group_id(1) * 10 + l / 19 - 1;\n  tile[l] = 7;\n" +
                "  if (" + condition + ") tile[l] = in[" + edges[e].index + "];\n  barrier(CLK_LOCAL_MEM_FENCE);\n" +
                "  out[(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * 256 + l] = tile[255 - l];\n}\n";
    const Program program = session.build(source);
    std::vector<T> in(kWidth * kHeight * components);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 31 % 1009 + i / 256);
    const Mem from = session.upload(in);
    constexpr int kAcross = 4, kDown = 4;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Mem to = session.upload(std::vector<T>(kAcross * kDown * 256 * components, 0));
      session.launch(session.kernel(program, ("k" + std::to_string(e)).c_str()), {{kAcross * kSide, kDown * kSide}, {kSide, kSide}}, from,
                     to, kWidth, kHeight);
      const auto got = session.download<T>(to, kAcross * kDown * 256 * components);
      for (int group = 0; group < kAcross * kDown; ++group)
        for (int l = 0; l < 256; ++l) {
          const int item = 255 - l, x = group % kAcross * 16 + item % kColumns - 2, y = group / kAcross * 10 + item / kColumns - 1;
          for (std::size_t c = 0; c < components; ++c) {
            const T wanted = runs(item) ? in[static_cast<std::size_t>(edges[e].at(x, y)) * components + c] : static_cast<T>(7);
            ASSERT_EQ(got[static_cast<std::size_t>(group * 256 + l) * components + c], wanted)
                << type << ", " << edges[e].index << " if " << condition << ", group " << group << ", place " << l;
          }
        }
    }
  }
};

TEST_F(LaneRuns, OfBytes) {
  check<cl_uchar>("uchar", 1, "true", [](int) { return true; });
}
TEST_F(LaneRuns, OfShorts) {
  check<cl_short>("short", 1, "true", [](int) { return true; });
}
TEST_F(LaneRuns, OfWords) {
  check<cl_int>("int", 1, "true", [](int) { return true; });
}
TEST_F(LaneRuns, OfFourBytes) {
  check<cl_uchar>("uchar4", 4, "true", [](int) { return true; });
}
TEST_F(LaneRuns, OfEightShorts) {
  check<cl_short>("short8", 8, "true", [](int) { return true; });
}
TEST_F(LaneRuns, OfAFewRows) {
  check<cl_uchar>("uchar", 1, "l < 247", [](int l) { return l < 247; });
}
TEST_F(LaneRuns, OfEveryThird) {
  check<cl_uchar>("uchar", 1, "l % 3 == 0", [](int l) { return l % 3 == 0; });
}

}  // namespace
}  // namespace weft::conformance
