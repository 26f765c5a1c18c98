// Tables that a byte of each work-item looks up: of all types, in all kinds of memory, constant or changed meanwhile, and no longer than
// what is looked up. An implementation may read all of a table at once; it touches no page that the program does not touch.
#include <sys/mman.h>

#include <cstring>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr std::size_t kItems = 1000, kPage = 4096;

class Table : public ApiTest {
 protected:
  static std::vector<cl_uchar> bytes(std::size_t count, unsigned below = 256) {
    std::vector<cl_uchar> values(count);
    std::uint32_t state = 5;
    for (cl_uchar& value : values) {
      state = state * 1664525u + 1013904223u;
      value = static_cast<cl_uchar>((state >> 20) % below);
    }
    return values;
  }
  template <typename Number>
  static std::vector<Number> entries(std::size_t count = 256) {
    std::vector<Number> table(count);
    std::uint32_t state = 9;
    for (Number& entry : table) {
      state = state * 1664525u + 1013904223u;
      entry = static_cast<Number>(state >> 4);
    }
    return table;
  }

  template <typename Number>
  void check(const std::string& type) {
    const Program program = session.build("#define T " + type + R"(
kernel void plain(global const uchar* a, global const T* table, global T* o, int n) {
  const int i = get_global_id(0);
  if (i < n) o[i] = table[a[i]];
}
kernel void in_constant(global const uchar* a, constant T* table, global T* o, int n) {
  const int i = get_global_id(0);
  if (i < n && a[i] > 9) o[i] = table[a[i] >> 1]; else if (i < n) o[i] = table[16 + (a[i] & 15)];
}
kernel void in_local(global const uchar* a, global const T* table, global T* o, int n) {
  local T t[256];
  const int i = get_global_id(0);
  for (int k = get_local_id(0); k < 256; k += get_local_size(0)) t[k] = table[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  T s = 0;
  if (i < n) {
    for (int k = 0; k < 9; ++k) s = (T)(s * (T)3 + t[(a[i] + k) & 255]);
    o[i] = s;
  }
}
// Each work-item changes an entry of a table of its group's, and looks up what others have changed.
kernel void changed(global const uchar* a, global const T* table, global T* o, int n) {
  local T t[256];
  const int i = get_global_id(0);
  for (int k = get_local_id(0); k < 256; k += get_local_size(0)) t[k] = table[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  T s = 0;
  for (int k = 0; k < 4; ++k) {
    s = (T)(s * (T)3 + t[a[i % n] ^ k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    t[get_local_id(0)] = (T)(table[get_local_id(0)] + (T)k);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) o[i] = s;
}
)");
    const auto index = bytes(kItems);
    const auto table = entries<Number>();
    const Mem a = session.upload(index), t = session.upload(table);
    const auto result = [&](const char* name) {
      const Mem out = session.upload(std::vector<Number>(kItems));
      session.launch(session.kernel(program, name), {{1024}, {64}, {}}, a, t, out, static_cast<cl_int>(kItems));
      return session.download<Number>(out, kItems);
    };
    const auto plain = result("plain"), in_constant = result("in_constant"), in_local = result("in_local"), changed = result("changed");
    for (std::size_t i = 0; i < kItems; ++i) {
      const unsigned b = index[i];
      EXPECT_EQ(plain[i], table[b]) << type << " " << i;
      EXPECT_EQ(in_constant[i], b > 9 ? table[b >> 1] : table[16 + (b & 15)]) << type << " " << i;
      Number sum = 0, changes = 0;
      for (unsigned k = 0; k < 9; ++k) sum = static_cast<Number>(static_cast<Number>(sum * 3) + table[(b + k) & 255]);
      EXPECT_EQ(in_local[i], sum) << type << " " << i;
      for (unsigned k = 0; k < 4; ++k) {
        const unsigned at = b ^ k;
        const auto entry = static_cast<Number>(k > 0 && at < 64 ? table[at] + static_cast<Number>(k - 1) : table[at]);
        changes = static_cast<Number>(static_cast<Number>(changes * 3) + entry);
      }
      EXPECT_EQ(changed[i], changes) << type << " " << i;
    }
  }
};

TEST_F(Table, Bytes) { check<cl_uchar>("uchar"); }
TEST_F(Table, Shorts) { check<cl_ushort>("ushort"); }
TEST_F(Table, Words) { check<cl_uint>("uint"); }

TEST_F(Table, Floats) {
  const auto index = bytes(kItems);
  std::vector<cl_float> table(256);
  for (unsigned i = 0; i < 256; ++i) table[i] = 0.25f * static_cast<float>(i * i);
  const Mem a = session.upload(index), t = session.upload(table), out = session.upload(std::vector<cl_float>(kItems));
  session.run("kernel void floats(global const uchar* a, global const float* t, global float* o)"
              "{ int i = get_global_id(0); o[i] = t[a[i]]; }", "floats", {{kItems}, {}, {}}, a, t, out);
  const auto result = session.download<cl_float>(out, kItems);
  for (std::size_t i = 0; i < kItems; ++i) EXPECT_EQ(result[i], table[index[i]]) << i;
}

// Output that overwrites the table while it is looked up, each work-item an entry that itself alone reads.
TEST_F(Table, InPlace) {
  std::vector<cl_uint> table(256);
  for (cl_uint i = 0; i < 256; ++i) table[i] = i * i;
  const Mem t = session.upload(table);
  session.run("kernel void in_place(global uint* t)"
              "{ uchar i = get_global_id(0) ^ 3; for (int k = 0; k < 3; ++k) t[i] = t[i] * 3 + k; }", "in_place",
              {{256}, {64}, {}}, t);
  const auto result = session.download<cl_uint>(t, 256);
  for (cl_uint i = 0; i < 256; ++i) {
    cl_uint expected = i * i;
    for (cl_uint k = 0; k < 3; ++k) expected = expected * 3 + k;
    EXPECT_EQ(result[i], expected) << i;
  }
}

// Tables that end with a page, behind which there is none, and that are shorter than a byte reaches.
TEST_F(Table, AtTheEndOfAPage) {
  auto* pages = static_cast<std::byte*>(mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages + kPage, kPage, PROT_NONE), 0);
  const Program program = session.build(R"(
kernel void bytes(global const uchar* a, global const uchar* t, global uint* o) { int i = get_global_id(0); o[i] = t[a[i]]; }
kernel void shorts(global const uchar* a, global const ushort* t, global uint* o) { int i = get_global_id(0); o[i] = t[a[i]]; }
kernel void words(global const uchar* a, global const uint* t, global uint* o) {
  int i = get_global_id(0), k = 0;
  uint s = 0;
  do s = s * 3 + t[a[i] ^ (k & 1)]; while (++k < 3);
  o[i] = s;
})");
  for (const unsigned count : {2u, 16u, 40u, 128u, 256u}) {
    const auto index = bytes(kItems, count);
    const Mem a = session.upload(index);
    const auto check = [&](const char* name, std::size_t size) {
      std::byte* const begin = pages + kPage - count * size;
      for (unsigned i = 0; i < count; ++i) {
        const cl_uint entry = i * 77 + 5;
        std::memcpy(begin + i * size, &entry, size);
      }
      const Mem table = session.buffer(count * size, CL_MEM_USE_HOST_PTR, begin), out = session.upload(std::vector<cl_uint>(kItems));
      session.launch(session.kernel(program, name), {{kItems}, {}, {}}, a, table, out);
      const auto result = session.download<cl_uint>(out, kItems);
      for (std::size_t i = 0; i < kItems; ++i) {
        const auto entry = [&](unsigned at) { return (at * 77 + 5) & (~cl_uint{0} >> (32 - 8 * size)); };
        const cl_uint own = entry(index[i]), other = entry(index[i] ^ 1);
        EXPECT_EQ(result[i], size == 4 ? (own * 3 + other) * 3 + own : own) << name << " " << count << " " << i;
      }
    };
    check("bytes", 1);
    check("shorts", 2);
    check("words", 4);
  }
  munmap(pages, 2 * kPage);
}

}  // namespace
}  // namespace weft::conformance
