// Bytes and shorts that each work-item reads where an index of its own says: signed and unsigned indices, in front of and behind a pointer that begins
// anywhere in a word, up to the last number of 32 bits. An implementation may read the words around them.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
kernel void by_int(global const T* in, global const int* at, global uint* out, int from) { in += from; out[get_global_id(0)] = in[at[get_global_id(0)]]; }
kernel void behind(global const T* in, global const int* at, global uint* out, int from) { in += from; out[get_global_id(0)] = in[at[get_global_id(0)] + 3]; }
kernel void by_uint(global const T* in, global const int* at, global uint* out, int from) { in += from - 512; out[get_global_id(0)] = in[(uint)(at[get_global_id(0)] + 512)]; }
kernel void by_long(global const T* in, global const int* at, global uint* out, int from) { in += from; out[get_global_id(0)] = in[(long)at[get_global_id(0)]]; }
kernel void some(global const T* in, global const int* at, global uint* out, int from) {
  const int i = get_global_id(0);
  in += from;
  out[i] = at[i] & 1 ? in[at[i]] : 77;
}
kernel void last(global const T* in, global const int* at, global uint* out, int from) {
  const uint i = get_local_id(0) + 4294967273u;  // the last number is work-item 22's
  in += from;
  out[get_global_id(0)] = i >= 4294967273u ? in[(ulong)i - 4294967273ul] : 77;
}
)";

class NarrowGathers : public ApiTest {
 protected:
  static constexpr int kItems = 256, kMiddle = 600, kElements = 1200;

  std::vector<cl_int> at = [] {
    std::vector<cl_int> values(kItems);
    std::uint32_t state = 3;
    for (cl_int& value : values) value = static_cast<cl_int>((state = state * 1664525u + 1013904223u) >> 8) % 1024 - 512;
    return values;
  }();

  template <typename T>
  void check(const char* type) {
    const Program program = session.build(kSource, std::string("-DT=") + type);
    std::vector<T> in(kElements);
    for (int i = 0; i < kElements; ++i) in[i] = static_cast<T>(i * 31 + 7);
    const Mem source = session.upload(in), indices = session.upload(at);
    for (const char* name : {"by_int", "behind", "by_uint", "by_long", "some", "last"}) {
      const Kernel kernel = session.kernel(program, name);
      for (int from = kMiddle; from < kMiddle + 4; ++from) {
        const Mem to = session.upload(std::vector<cl_uint>(kItems, 0));
        session.launch(kernel, {{kItems}, {64}}, source, indices, to, from);
        const auto got = session.download<cl_uint>(to, kItems);
        for (int i = 0; i < kItems; ++i) {
          const bool is_last = name == std::string("last");
          const int place = from + (is_last ? i % 64 : at[i] + (name == std::string("behind") ? 3 : 0));
          const bool reads = is_last ? i % 64 < 23 : name != std::string("some") || (at[i] & 1);
          ASSERT_EQ(got[i], reads ? static_cast<cl_uint>(in[place]) : 77u) << type << ", " << name << " from " << from << ", item " << i;
        }
      }
    }
  }
};

TEST_F(NarrowGathers, OfBytes) { check<cl_uchar>("uchar"); }
TEST_F(NarrowGathers, OfShorts) { check<cl_ushort>("ushort"); }
TEST_F(NarrowGathers, OfSignedShorts) { check<cl_short>("short"); }

}  // namespace
}  // namespace weft::conformance
