// Work-items that read rows of bytes of their own, byte by byte: strings, packets, numbers in either order of bytes; side by side, in all
// directions, behind conditions, and written in between.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

class ByteWords : public ApiTest {
 protected:
  const std::vector<cl_uchar> bytes = [] {
    std::vector<cl_uchar> result(8192);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<cl_uchar>(i * 37 % 253);
    return result;
  }();
};

TEST_F(ByteWords, Rows) {
  const Program program = session.build(R"(
kernel void hash(global const uchar* s, global uint* o, int count) {
  int g = get_global_id(0);
  if (g >= count) return;
  uint h = 2166136261u;
  for (int k = 0; k < 16; ++k) h = (h ^ s[g * 16 + k]) * 16777619u;
  o[g] = h;
}
kernel void packet(global const uchar* s, global uint* o, int count) {
  uint g = get_global_id(0);
  if (g >= count) return;
  global const uchar* p = s + 20 * g;
  uint c = 0;
  for (int k = 0; k < 10; ++k) c += (p[2 * k] << 8) | p[2 * k + 1];
  o[g] = c;
}
kernel void numbers(global const uchar* s, global uint* o, int count) {
  int g = get_global_id(0);
  if (g >= count) return;
  global const uchar* p = s + 12 * g + 1;
  o[g] = (p[0] | p[1] << 8 | p[2] << 16 | (uint)p[3] << 24) + ((uint)p[4] << 24 | p[5] << 16 | p[6] << 8 | p[7]) * p[8] + p[9];
})");
  const Mem from = session.upload(bytes);
  for (const std::size_t local : {64, 16, 48, 33})
    for (const int count : {1000, 192, 101}) {
      SCOPED_TRACE(std::to_string(count) + " by " + std::to_string(local));
      const std::size_t items = 7 * 16 * 33;
      const auto run = [&](const char* name, auto wanted) {
        const int most = std::min(count, 400);
        const Mem to = session.upload(std::vector<cl_uint>(items, 7));
        session.launch(session.kernel(program, name), {{(items + local - 1) / local * local}, {local}}, from, to, cl_int{most});
        const auto out = session.download<cl_uint>(to, items);
        for (std::size_t i = 0; i < items; ++i) ASSERT_EQ(out[i], i < static_cast<std::size_t>(most) ? wanted(&bytes[0], i) : 7u) << name << " " << i;
      };
      run("hash", [](const cl_uchar* s, std::size_t i) {
        cl_uint h = 2166136261u;
        for (std::size_t k = 0; k < 16; ++k) h = (h ^ s[i * 16 + k]) * 16777619u;
        return h;
      });
      run("packet", [](const cl_uchar* s, std::size_t i) {
        cl_uint c = 0;
        for (std::size_t k = 0; k < 10; ++k) c += static_cast<cl_uint>(s[20 * i + 2 * k] << 8 | s[20 * i + 2 * k + 1]);
        return c;
      });
      run("numbers", [](const cl_uchar* s, std::size_t i) {
        const cl_uchar* p = s + 12 * i + 1;
        const auto low = static_cast<cl_uint>(p[0]) | static_cast<cl_uint>(p[1]) << 8 | static_cast<cl_uint>(p[2]) << 16 | static_cast<cl_uint>(p[3]) << 24;
        const auto high = static_cast<cl_uint>(p[4]) << 24 | static_cast<cl_uint>(p[5]) << 16 | static_cast<cl_uint>(p[6]) << 8 | static_cast<cl_uint>(p[7]);
        return low + high * p[8] + p[9];
      });
    }
}

TEST_F(ByteWords, InAllDirectionsAndWritten) {
  const Program program = session.build(R"(
kernel void scattered(global const uchar* s, global const int* at, global uint* o) {
  int g = get_global_id(0);
  global const uchar* p = s + at[g];
  o[g] = p[0] + 3 * p[1] + 5 * p[2] + 7 * p[3] + 11 * (p[4] | p[5] << 8);
}
kernel void written(global uchar* s, global uint* o) {
  int g = get_global_id(0);
  uint two = s[8 * g] + s[8 * g + 1];
  s[8 * g + 2] = two;
  s[8 * g + 7] = s[8 * g + 4];
  o[g] = two + 256 * s[8 * g + 2] + 65536 * s[8 * g + 3] + (s[8 * g + 4] ^ s[8 * g + 5] ^ s[8 * g + 6] ^ s[8 * g + 7]);
})");
  std::vector<cl_int> at(256);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<cl_int>(i * 613 % 8001);
  const Mem from = session.upload(bytes), by = session.upload(at), to = session.buffer(4 * 256), changed = session.upload(bytes);
  session.launch(session.kernel(program, "scattered"), {{256}, {64}}, from, by, to);
  auto out = session.download<cl_uint>(to, 256);
  for (std::size_t i = 0; i < 256; ++i) {
    const cl_uchar* p = &bytes[static_cast<std::size_t>(at[i])];
    ASSERT_EQ(out[i], static_cast<cl_uint>(p[0] + 3 * p[1] + 5 * p[2] + 7 * p[3] + 11 * (p[4] | p[5] << 8))) << i;
  }
  session.launch(session.kernel(program, "written"), {{256}, {64}}, changed, to);
  out = session.download<cl_uint>(to, 256);
  for (std::size_t i = 0; i < 256; ++i) {
    const cl_uchar* p = &bytes[8 * i];
    const auto two = static_cast<cl_uint>(p[0] + p[1]);
    ASSERT_EQ(out[i], two + 256 * (two & 255) + 65536 * p[3] + static_cast<cl_uint>(p[5] ^ p[6])) << i;
  }
}

}  // namespace
}  // namespace weft::conformance
