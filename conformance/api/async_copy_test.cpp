// Async copies of boxes (cl_khr_extended_async_copies).
#include <numeric>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class AsyncCopies : public ApiTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_extended_async_copies")) GTEST_SKIP() << "no cl_khr_extended_async_copies";
  }
};

struct Element {
  const char* type;
  std::size_t bytes;
};

/// Boxes of 5 x 3 x 2 elements from rows of 9 and planes of 40 to local memory with rows of 7 and planes of 25, and from there to others.
TEST_F(AsyncCopies, Boxes) {
  constexpr Element kElements[] = {{"uchar", 1}, {"short", 2}, {"uchar3", 3}, {"float", 4}, {"double2", 16}};
  for (const Element element : kElements) {
    const std::string bytes = std::to_string(element.bytes);
    const Program program = session.build(
        "#ifndef cl_khr_extended_async_copies\n#error\n#endif\n"
        "kernel void planes(global const uchar* in, global uchar* out) {\n"
        "  local uchar t[64 * 16] __attribute__((aligned(16)));\n"
        "  event_t e = async_work_group_copy_3D3D(t, 3, in, 11, " + bytes + ", 5, 3, 2, 9, 40, 7, 25, 0);\n"
        "  wait_group_events(1, &e);\n"
        "  e = async_work_group_copy_3D3D(out, 1, t, 3, " + bytes + ", 5, 3, 2, 7, 25, 6, 20, 0);\n"
        "  wait_group_events(1, &e);\n}\n"
        "kernel void lines(global const uchar* in, global uchar* out) {\n"
        "  local uchar t[64 * 16] __attribute__((aligned(16)));\n"
        "  event_t e = async_work_group_copy_2D2D(t, 2, in, 4, " + bytes + ", 5, 4, 9, 7, 0);\n"
        "  wait_group_events(1, &e);\n"
        "  e = async_work_group_copy_2D2D(out, 0, t, 2, " + bytes + ", 5, 4, 7, 8, 0);\n"
        "  wait_group_events(1, &e);\n}\n");
    std::vector<cl_uchar> in(128 * element.bytes);
    std::iota(in.begin(), in.end(), cl_uchar{1});
    const auto copied = [&](std::size_t to, std::size_t from, std::vector<cl_uchar>& out) {
      std::copy_n(&in[from * element.bytes], 5 * element.bytes, &out[to * element.bytes]);
    };
    std::vector<cl_uchar> planes(in.size()), lines(in.size());
    for (std::size_t z = 0; z < 2; ++z)
      for (std::size_t y = 0; y < 3; ++y) copied(1 + z * 20 + y * 6, 11 + z * 40 + y * 9, planes);
    for (std::size_t y = 0; y < 4; ++y) copied(y * 8, 4 + y * 9, lines);
    for (const std::size_t group : {1, 7, 64}) {
      const Mem from = session.upload(in);
      for (const auto& [name, want] : {std::pair("planes", &planes), std::pair("lines", &lines)}) {
        const Mem to = session.upload(std::vector<cl_uchar>(in.size()));
        session.launch(session.kernel(program, name), {{group}, {group}}, from, to);
        EXPECT_EQ(session.download<cl_uchar>(to, in.size()), *want) << name << ", " << element.type << ", groups of " << group;
      }
    }
  }
}

}  // namespace
}  // namespace weft::conformance
