// Rows that work-items read or write the last one first: numbers, vectors and pixels of three components have the elements that the program named, whatever
// registers are turned round for it (OpenCL C 3.0 §6.15.7), within bounds of a row and in every position of it.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

class MirroredRows : public ApiTest {
 protected:
  static constexpr std::size_t kRows = 3;

  /// Rows of `width` elements of `components` numbers each; work-items behind a row's end do nothing.
  template <typename Number>
  void check(const std::string& number, unsigned components) {
    const std::string load = components == 1 ? "in[P]" : "vload" + std::to_string(components) + "(0, in + " + std::to_string(components) + " * (P))";
    const std::string one = number + (components == 1 ? "" : std::to_string(components));
    const std::string store = components == 1 ? "out[Q] = v" : "vstore" + std::to_string(components) + "(v, 0, out + " + std::to_string(components) + " * (Q))";
    const auto kernel = [&](const std::string& name, const std::string& from, const std::string& to) {
      return "#undef P\n#undef Q\n#define P " + from + "\n#define Q " + to + "\nkernel void " + name + "(global const " + number + "* in, global " + number +
             "* out, int width, int pitch) {\n  const int x = get_global_id(0), y = get_global_id(1);\n  if (x >= width) return;\n  const " + one + " v = " + load +
             " + (" + one + ")(1);\n  " + store + ";\n}\n";
    };
    const std::string here = "y * pitch + x", there = "y * pitch + width - 1 - x";
    const Program program = session.build(kernel("reads", there, here) + kernel("writes", here, there) + kernel("both", there, there));
    for (const std::size_t width : {1u, 31u, 32u, 33u, 64u, 100u, 255u})
      for (const std::size_t pitch : {width, width + 3})
        for (const std::size_t local : {32u, 64u}) {
          std::vector<Number> in(kRows * pitch * components);
          for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<Number>(i * 37 + i / 251);
          for (const char* name : {"reads", "writes", "both"}) {
            SCOPED_TRACE(one + ' ' + name + ' ' + std::to_string(width) + " of " + std::to_string(pitch) + " by " + std::to_string(local));
            std::vector<Number> want(in.size(), Number{9});
            for (std::size_t y = 0; y < kRows; ++y)
              for (std::size_t x = 0; x < width; ++x)
                for (unsigned c = 0; c < components; ++c) {
                  const std::size_t at = (y * pitch + x) * components + c, mirrored = (y * pitch + width - 1 - x) * components + c;
                  want[at] = static_cast<Number>(in[name == std::string("both") ? at : mirrored] + Number{1});
                }
            const Mem from = session.upload(in), to = session.upload(std::vector<Number>(in.size(), Number{9}));
            session.launch(session.kernel(program, name), {{(width + local - 1) / local * local, kRows}, {local, 1}}, from, to, cl_int(width), cl_int(pitch));
            ASSERT_EQ(session.download<Number>(to, want.size()), want);
          }
        }
  }
};

TEST_F(MirroredRows, Bytes) { check<cl_uchar>("uchar", 1); }
TEST_F(MirroredRows, PixelsOfThreeBytes) { check<cl_uchar>("uchar", 3); }
TEST_F(MirroredRows, PixelsOfFourBytes) { check<cl_uchar>("uchar", 4); }
TEST_F(MirroredRows, PixelsOfThreeShorts) { check<cl_ushort>("ushort", 3); }
TEST_F(MirroredRows, Ints) { check<cl_int>("int", 1); }
TEST_F(MirroredRows, PairsOfFloats) { check<cl_float>("float", 2); }
TEST_F(MirroredRows, FoursOfFloats) { check<cl_float>("float", 4); }

}  // namespace
}  // namespace weft::conformance
