// Bytes and shorts that each work-item reads where an index of its own says: signed and unsigned indices, in front of and behind a pointer
// that begins anywhere in a word, up to the last number of 32 bits; and pixels of two and three bytes, up to the first and the last of a page. An
// implementation may read the words around them.
#include <sys/mman.h>

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

constexpr const char* kPixels = R"(
kernel void by_int(global const uchar* in, global const int* at, global uchar* out, int from) {
  const int i = get_global_id(0);
  VSTORE(VLOAD(0, in + from + at[i]), i, out);
}
kernel void by_pixel(global const uchar* in, global const int* at, global uchar* out, int from) {
  const int i = get_global_id(0);
  VSTORE(VLOAD(at[i], in + from), i, out);
}
kernel void by_uint(global const uchar* in, global const int* at, global uchar* out, int from) {
  const int i = get_global_id(0);
  VSTORE(VLOAD(0, in + (from - 2048) + (uint)(at[i] + 2048)), i, out);
}
kernel void by_long(global const uchar* in, global const long* far, global uchar* out, int from) {
  const int i = get_global_id(0);
  VSTORE(VLOAD(0, in + from + far[i]), i, out);
}
kernel void some(global const uchar* in, global const int* at, global uchar* out, int from) {
  const int i = get_global_id(0);
  PIXEL p = 77;
  if (at[i] & 1) p = VLOAD(0, in + from + at[i]) / (uchar)2;
  VSTORE(p, i, out);
}
kernel void of_local(global const uchar* in, global const int* at, global uchar* out, int from) {
  const int i = get_global_id(0), l = get_local_id(0);
  local uchar tile[192];
  for (int c = 0; c < 3; ++c) tile[c * 64 + l] = in[from + c * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  VSTORE(VLOAD(0, tile + (at[i] & 127)), i, out);
}
)";

/// Pixels of 2 or 3 bytes.
class NarrowPixels : public NarrowGathers {
 protected:
  static std::string options(unsigned bytes) {
    const std::string n = std::to_string(bytes);
    return "-DPIXEL=uchar" + n + " -DVLOAD=vload" + n + " -DVSTORE=vstore" + n;
  }

  void check_pixels(unsigned bytes) {
    const Program program = session.build(kPixels, options(bytes));
    std::vector<cl_uchar> in(4096);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<cl_uchar>(i * 31 + 7 + i / 256);
    const std::vector<cl_long> far(at.begin(), at.end());
    const Mem source = session.upload(in), indices = session.upload(at), far_indices = session.upload(far);
    for (const std::string name : {"by_int", "by_pixel", "by_uint", "by_long", "some", "of_local"}) {
      const Kernel kernel = session.kernel(program, name.c_str());
      for (int from = 2000; from < 2004; ++from) {
        const Mem to = session.upload(std::vector<cl_uchar>(bytes * kItems, 0));
        session.launch(kernel, {{kItems}, {64}}, source, name == "by_long" ? far_indices : indices, to, from);
        const auto got = session.download<cl_uchar>(to, bytes * kItems);
        for (int i = 0; i < kItems; ++i)
          for (int c = 0; c < static_cast<int>(bytes); ++c) {
            const int place = from + c + (name == "by_pixel" ? static_cast<int>(bytes) * at[i] : name == "of_local" ? at[i] & 127 : at[i]);
            const int wanted = name != "some" ? in[place] : (at[i] & 1) ? in[place] / 2 : 77;
            ASSERT_EQ(int{got[bytes * i + c]}, wanted) << name << " from " << from << ", item " << i;
          }
      }
    }
  }

  /// Every pixel of a page between two that are forbidden.
  void check_page(unsigned bytes) {
    const std::size_t page = 4096;
    auto* pages = static_cast<cl_uchar*>(mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(pages, MAP_FAILED);
    ASSERT_EQ(mprotect(pages, page, PROT_NONE), 0);
    ASSERT_EQ(mprotect(pages + 2 * page, page, PROT_NONE), 0);
    cl_uchar* in = pages + page;
    for (std::size_t i = 0; i < page; ++i) in[i] = static_cast<cl_uchar>(i * 31 + 7 + i / 256);
    {
      const Program program = session.build(kPixels, options(bytes));
      const std::size_t items = 4032;  // all places but some in the middle
      std::vector<cl_int> places(items);
      for (std::size_t i = 0; i < items; ++i) places[i] = static_cast<cl_int>(i < items / 2 ? items / 2 - 1 - i : page + 1 - bytes - items + i);
      const std::vector<cl_long> far(places.begin(), places.end());
      const Mem source = session.buffer(page, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, in);
      const Mem indices = session.upload(places), far_indices = session.upload(far);
      for (const std::string name : {"by_int", "by_long"}) {
        const Mem to = session.upload(std::vector<cl_uchar>(bytes * items, 0));
        session.launch(session.kernel(program, name.c_str()), {{items}, {64}}, source, name == "by_long" ? far_indices : indices, to, 0);
        const auto got = session.download<cl_uchar>(to, bytes * items);
        for (std::size_t i = 0; i < items; ++i)
          for (unsigned c = 0; c < bytes; ++c) ASSERT_EQ(got[bytes * i + c], in[places[i] + static_cast<int>(c)]) << name << ", item " << i;
      }
    }
    munmap(pages, 3 * page);
  }
};

TEST_F(NarrowPixels, OfTwoBytes) { check_pixels(2); }
TEST_F(NarrowPixels, OfTwoBytesUpToForbiddenPages) { check_page(2); }
TEST_F(NarrowPixels, OfThreeBytes) { check_pixels(3); }
TEST_F(NarrowPixels, OfThreeBytesUpToForbiddenPages) { check_page(3); }

}  // namespace
}  // namespace weft::conformance
