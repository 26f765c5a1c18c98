// printf's conversions (OpenCL C 3.0 §6.15.14).
#include "device/print.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace weft::device {
namespace {

/// Packs arguments as abi::Services::print wants them.
struct Pack {
  std::vector<std::byte> bytes;
  template <class T>
  Pack& add(const T& value) {
    const std::size_t align = std::min<std::size_t>(sizeof(T), 8);
    bytes.resize((bytes.size() + align - 1) / align * align + sizeof(T));
    std::memcpy(bytes.data() + bytes.size() - sizeof(T), &value, sizeof(T));
    return *this;
  }
  std::string print(const char* format) const {
    std::string out;
    format_print(out, format, bytes.data(), bytes.size());
    return out;
  }
};

TEST(Print, Scalars) {
  EXPECT_EQ(Pack().add(-7).add(42u).print("%d|%5u|"), "-7|   42|");
  EXPECT_EQ(Pack().add(1).add(-5L).add(2).print("%d %ld %d"), "1 -5 2");
  EXPECT_EQ(Pack().add(12345678901L).add(-5L).add(1).print("%zu %td %d"), "12345678901 -5 1");
  EXPECT_EQ(Pack().add(0x1ff).print("%hhx"), "ff");
  EXPECT_EQ(Pack().add(0x18000).print("%hd"), "-32768");
  EXPECT_EQ(Pack().add(1.5).add(2).print("%.3f %i"), "1.500 2");
  EXPECT_EQ(Pack().add(int{'x'}).print("[%c]%%"), "[x]%");
  const char* text = "hello";
  EXPECT_EQ(Pack().add(text).print("%-8.4s|"), "hell    |");
  EXPECT_EQ(Pack().add(10.0).print("%a"), "0x1.4p+3");
  EXPECT_EQ(Pack().print("100%"), "100%");
  EXPECT_EQ(Pack().add(1).print("%d %d"), "1 %d");
}

TEST(Print, Vectors) {
  struct alignas(16) Float4 {
    float v[4];
  };
  EXPECT_EQ(Pack().add(Float4{{1, 2, 3, 4}}).print("%.1v4hlf"), "1.0,2.0,3.0,4.0");
  EXPECT_EQ(Pack().add(Float4{{1, 2, 3, 4}}).print("%v4hlf"), "1.000000,2.000000,3.000000,4.000000");
  struct Char4 {
    signed char v[4];
  };
  EXPECT_EQ(Pack().add(Char4{{1, -2, 3, 0}}).print("%v3hhd"), "1,-2,3");
  struct Short2 {
    unsigned short v[2];
  };
  EXPECT_EQ(Pack().add(Short2{{0xabcd, 1}}).print("%#v2hx"), "0xabcd,0x1");
  struct Long2 {
    long v[2];
  };
  EXPECT_EQ(Pack().add(1).add(Long2{{-1, 2}}).print("%d %v2ld"), "1 -1,2");
  struct Half2 {
    unsigned short v[2];
  };
  EXPECT_EQ(Pack().add(Half2{{0x3c00, 0xc000}}).print("%v2hf"), "1.000000,-2.000000");
}

TEST(Print, RefusesWhatIsNoConversion) {
  EXPECT_EQ(Pack().add(1).print("%v5hld"), "%v5hld");
  EXPECT_EQ(Pack().add(1).print("%*d"), "%*d");
  EXPECT_EQ(Pack().add(1).print("%n"), "%n");
  EXPECT_EQ(Pack().add(1.0).print("%zf"), "%zf");
  EXPECT_EQ(Pack().print("%"), "%");
}

}  // namespace
}  // namespace weft::device
