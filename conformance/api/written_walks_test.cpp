// Work-items that walk along a row of their own each and write it, of every type and length. An implementation may read and write several
// elements of a row at once, where no work-item can tell.
#include <algorithm>
#include <functional>
#include <type_traits>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
kernel void sums(global const T* in, global T* out, int n, int pitch, int items) {
  const int item = get_global_id(0);
  if (item >= items) return;
  T s = 0;
  for (int k = 0; k < n; ++k) { s = s * (T)3 + in[item * pitch + k]; out[item * pitch + k] = s; }
}
// What the iteration before has stored, in the same buffer.
kernel void before(global const T* in, global T* out, int n, int pitch, int items) {
  const int item = get_global_id(0);
  if (item >= items) return;
  for (int k = 1; k < n; ++k) out[item * pitch + k] = out[item * pitch + k] * (T)3 + out[item * pitch + k - 1];
}
kernel void two_before(global const T* in, global T* out, int n, int pitch, int items) {
  const int item = get_global_id(0);
  if (item >= items) return;
  for (int k = 2; k < n; ++k) out[item * pitch + k] = out[item * pitch + k - 1] * (T)3 + out[item * pitch + k - 2] + in[item * pitch + k];
}
kernel void three_before(global const T* in, global T* out, int n, int pitch, int items) {
  const int item = get_global_id(0);
  if (item >= items) return;
  for (int k = 3; k < n; ++k) out[item * pitch + k] = out[item * pitch + k] * (T)3 + out[item * pitch + k - 3];
}
// What the next iteration stores.
kernel void ahead(global const T* in, global T* out, int n, int pitch, int items) {
  const int item = get_global_id(0);
  if (item >= items) return;
  for (int k = 0; k < n - 1; ++k) out[item * pitch + k] = out[item * pitch + k + 1] * (T)3 + in[item * pitch + k];
}
kernel void down(global const T* in, global T* out, int n, int pitch, int items) {
  const int item = get_global_id(0);
  if (item >= items) return;
  for (int k = n - 2; k >= 0; --k) out[item * pitch + k] = out[item * pitch + k + 1] * (T)3 + in[item * pitch + k];
}
// What the same iteration has stored.
kernel void again(global const T* in, global T* out, int n, int pitch, int items) {
  const int item = get_global_id(0);
  if (item >= items || n < 1) return;
  T s = 0;
  for (int k = 0; k < n; ++k) {
    out[item * pitch + k] = in[item * pitch + k] * (T)3;
    s += out[item * pitch + k];
  }
  out[item * pitch] = s;
}
// Read alone.
kernel void total(global const T* in, global T* out, int n, int pitch, int items) {
  const int item = get_global_id(0);
  if (item >= items) return;
  T s = 0;
  for (int k = 0; k < n; ++k) s = s * (T)3 + in[item * pitch + k];
  out[item * pitch] = s;
}
// Under a condition.
kernel void some(global const T* in, global T* out, int n, int pitch, int items) {
  const int item = get_global_id(0);
  if (item >= items) return;
  T s = 0;
  for (int k = 0; k < n; ++k) {
    s = s * (T)3 + in[item * pitch + k];
    if ((item + k) % 3 == 0) out[item * pitch + k] = s;
  }
}
)";

/// One work-item's row, as the kernels of these names make it.
template <typename Number>
struct Row {
  const Number* in;
  Number* out;
  std::size_t parts, item;
  int n;
  void run(const std::string& name) const {
    for (std::size_t part = 0; part < parts; ++part) {
      const auto at = [&](int k) -> Number& { return out[static_cast<std::size_t>(k) * parts + part]; };
      const auto given = [&](int k) { return in[static_cast<std::size_t>(k) * parts + part]; };
      const auto step = [](Number a, Number b) { return static_cast<Number>(static_cast<Number>(a * 3) + b); };
      Number s = 0;
      if (name == "sums")
        for (int k = 0; k < n; ++k) at(k) = s = step(s, given(k));
      else if (name == "before")
        for (int k = 1; k < n; ++k) at(k) = step(at(k), at(k - 1));
      else if (name == "two_before")
        for (int k = 2; k < n; ++k) at(k) = static_cast<Number>(step(at(k - 1), at(k - 2)) + given(k));
      else if (name == "three_before")
        for (int k = 3; k < n; ++k) at(k) = step(at(k), at(k - 3));
      else if (name == "ahead")
        for (int k = 0; k < n - 1; ++k) at(k) = step(at(k + 1), given(k));
      else if (name == "down")
        for (int k = n - 2; k >= 0; --k) at(k) = step(at(k + 1), given(k));
      else if (name == "total") {
        for (int k = 0; k < n; ++k) s = step(s, given(k));
        at(0) = s;
      } else if (name == "again") {
        for (int k = 0; k < n; ++k) {
          at(k) = static_cast<Number>(given(k) * 3);
          s = static_cast<Number>(s + at(k));
        }
        if (n > 0) at(0) = s;
      } else {
        for (int k = 0; k < n; ++k) {
          s = step(s, given(k));
          if ((static_cast<int>(item) + k) % 3 == 0) at(k) = s;
        }
      }
    }
  }
};

template <typename Number>
class WrittenWalks : public ApiTest {
 protected:
  static constexpr std::size_t kItems = 100;
  static constexpr const char* kNames[] = {"sums", "before", "two_before", "three_before", "ahead", "down", "again", "total", "some"};

  /// Small whole numbers, of which floats lose nothing in a few steps.
  static std::vector<Number> numbers(std::size_t count) {
    std::vector<Number> values(count);
    std::uint32_t state = 1;
    for (Number& value : values) {
      state = state * 1664525u + 1013904223u;
      value = static_cast<Number>(state >> 30);
    }
    return values;
  }

  /// For OpenCL's `type` of `parts` numbers.
  void check(const std::string& type, std::size_t parts) {
    const Program program = session.build(std::string("#define T ") + type + "\n" + kSource);
    for (const char* name : kNames) {
      for (const int n : {0, 1, 2, 3, 4, 5, 9, 13})
        for (const int gap : {0, 1, 11}) check_rows(program, name, parts, n, static_cast<std::size_t>(std::max(n + gap, 1)), gap == 1 ? kItems - 7 : kItems);
      // A large power of two of bytes apart, of more than lines of 64 bytes; more than floats hold without rounding.
      for (const int n : {16, 33, 79, 133}) {
        if (std::is_floating_point_v<Number>) break;
        const std::size_t bytes = sizeof(Number) * parts;
        for (const std::size_t items : {kItems, kItems - 7}) check_rows(program, name, parts, n, 4096 / bytes, items);
      }
    }
  }

  void check_rows(const Program& program, const std::string& name, std::size_t parts, int n, std::size_t pitch, std::size_t items) {
    SCOPED_TRACE(name + ", " + std::to_string(parts) + " numbers, rows of " + std::to_string(n) + ", " + std::to_string(pitch) + " apart");
    const auto in = numbers((kItems * pitch + 1) * parts);
    std::vector<Number> out(in.rbegin(), in.rend()), expected = out;
    const Mem from = session.upload(in), to = session.upload(out);
    for (const bool is_one_buffer : {false, true}) {
      // In the second launch all is in one buffer. What floats hold without rounding ends with the first.
      if (is_one_buffer && std::is_floating_point_v<Number>) break;
      session.launch(session.kernel(program, name.c_str()), {{kItems}, {50}}, is_one_buffer ? to : from, to, cl_int(n), cl_int(pitch), cl_int(items));
      for (std::size_t item = 0; item < items; ++item) {
        Number* row = expected.data() + item * pitch * parts;
        Row<Number>{is_one_buffer ? row : in.data() + item * pitch * parts, row, parts, item, n}.run(name);
      }
      const auto got = session.download<Number>(to, out.size());
      for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], expected[i]) << "number " << i << (is_one_buffer ? ", one buffer" : "");
    }
  }
};

using WrittenBytes = WrittenWalks<cl_uchar>;
using WrittenShorts = WrittenWalks<cl_ushort>;
using WrittenInts = WrittenWalks<cl_uint>;
using WrittenLongs = WrittenWalks<cl_ulong>;
using WrittenFloats = WrittenWalks<cl_float>;

TEST_F(WrittenBytes, OfOne) { check("uchar", 1); }
TEST_F(WrittenBytes, OfFour) { check("uchar4", 4); }
TEST_F(WrittenShorts, OfOne) { check("ushort", 1); }
TEST_F(WrittenInts, OfOne) { check("uint", 1); }
TEST_F(WrittenInts, OfTwo) { check("uint2", 2); }
TEST_F(WrittenInts, OfFour) { check("uint4", 4); }
TEST_F(WrittenLongs, OfOne) { check("ulong", 1); }
TEST_F(WrittenLongs, OfTwo) { check("ulong2", 2); }
TEST_F(WrittenFloats, OfOne) { check("float", 1); }
TEST_F(WrittenFloats, OfTwo) { check("float2", 2); }
TEST_F(WrittenFloats, OfFour) { check("float4", 4); }

/// Rows of the lanes of one warp that overlap: what one lane stores is what another one loads, or stores too.
class OverlappingRows : public ApiTest {
 protected:
  static constexpr int kLanes = 32, kLength = 13, kMiddle = 600, kSize = 2 * kMiddle;

  void SetUp() override { WEFT_ONLY("only warps run in lockstep"); }

  using Body = std::function<void(std::vector<cl_uint>& a, const std::function<int(int lane)>& row, int k, int d)>;

  /// For each lane: loads first, then stores.
  template <typename Load>
  static void in_lockstep(std::vector<cl_uint>& a, const Load& load, const std::function<int(int)>& place) {
    std::vector<cl_uint> loaded;
    for (int lane = 0; lane < kLanes; ++lane) loaded.push_back(load(lane));
    for (int lane = 0; lane < kLanes; ++lane) a[static_cast<std::size_t>(place(lane))] = loaded[static_cast<std::size_t>(lane)];
  }

  void check(const std::string& statement, int first, int last, int step, const Body& body) {
    const std::string loop = "for (int k = " + std::to_string(first) + "; k != " + std::to_string(last) + "; k += " + std::to_string(step) + ") ";
    const Program program = session.build(
        "kernel void apart(global uint* a, int pitch, int d) { const int row = " + std::to_string(kMiddle) + " + (int)get_local_id(0) * pitch; " + loop +
        statement + " }");
    for (const int pitch : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -3, -4, -5, -7, -8})
      for (const int d : {-9, -4, -1, 0, 1, 2, 3, 4, 5, 8, 40}) {
        SCOPED_TRACE(statement + ", lanes " + std::to_string(pitch) + " apart, d = " + std::to_string(d));
        auto expected = iota<cl_uint>(kSize);
        const Mem a = session.upload(expected);
        session.launch(session.kernel(program, "apart"), {{kLanes}, {kLanes}}, a, cl_int(pitch), cl_int(d));
        for (int k = first; k != last; k += step) body(expected, [&](int lane) { return kMiddle + lane * pitch; }, k, d);
        ASSERT_EQ(session.download<cl_uint>(a, kSize), expected);
      }
  }
};

TEST_F(OverlappingRows, OfTheIterationBefore) {
  check("a[row + k] = a[row + k] * 3 + a[row + k - 1];", 1, kLength, 1, [](auto& a, const auto& row, int k, int) {
    in_lockstep(a, [&](int lane) { return a[row(lane) + k] * 3 + a[row(lane) + k - 1]; }, [&](int lane) { return row(lane) + k; });
  });
}

TEST_F(OverlappingRows, Ahead) {
  check("a[row + k] = a[row + k] * 3 + a[row + k + 2];", 0, kLength, 1, [](auto& a, const auto& row, int k, int) {
    in_lockstep(a, [&](int lane) { return a[row(lane) + k] * 3 + a[row(lane) + k + 2]; }, [&](int lane) { return row(lane) + k; });
  });
}

TEST_F(OverlappingRows, Down) {
  check("a[row + k] = a[row + k] * 3 + a[row + k + 1];", kLength, 0, -1, [](auto& a, const auto& row, int k, int) {
    in_lockstep(a, [&](int lane) { return a[row(lane) + k] * 3 + a[row(lane) + k + 1]; }, [&](int lane) { return row(lane) + k; });
  });
}

TEST_F(OverlappingRows, AtADistanceOfRunTime) {
  check("a[row + k] = a[row + k + d] * 3 + k;", 0, kLength, 1, [](auto& a, const auto& row, int k, int d) {
    in_lockstep(a, [&](int lane) { return a[row(lane) + k + d] * 3 + static_cast<cl_uint>(k); }, [&](int lane) { return row(lane) + k; });
  });
}

TEST_F(OverlappingRows, StoredOnly) {
  check("a[row + k] = row * 100 + k;", 0, kLength, 1, [](auto& a, const auto& row, int k, int) {
    in_lockstep(a, [&](int lane) { return static_cast<cl_uint>(row(lane) * 100 + k); }, [&](int lane) { return row(lane) + k; });
  });
}

// A large power of two of bytes apart, and what a lane loads the next one has stored `back` iterations before.
TEST_F(OverlappingRows, ByAFewElementsOnly) {
  constexpr std::size_t kPitch = 512, kCount = (kLanes + 2) * kPitch, kRow = 40;
  const Program program = session.build(
      "kernel void apart(global uint* a, int back) { const int row = (int)get_local_id(0) * 512;"
      " for (int k = 0; k < 40; ++k) a[row + k + back] = a[row + k + 512] * 3 + k; }"
      "kernel void known(global uint* a, int back) { const int row = (int)get_local_id(0) * 512;"
      " for (int k = 0; k < 40; ++k) a[row + k + 8] = a[row + k + 512] * 3 + k; }"
      "kernel void asked(global uint* a, int pitch) { const int row = (int)get_local_id(0) * pitch;"
      " for (int k = 0; k < 40; ++k) a[row + k + 8] = a[row + k + 512] * 3 + k; }");
  for (const char* name : {"apart", "known", "asked"})
    for (const std::size_t back : {8, 5, 3, 1, 0}) {
      if (back != 8 && name != std::string("apart")) break;
      SCOPED_TRACE(std::string(name) + ", " + std::to_string(back));
      auto expected = iota<cl_uint>(kCount);
      const Mem a = session.upload(expected);
      session.launch(session.kernel(program, name), {{kLanes}, {kLanes}}, a, cl_int(name == std::string("asked") ? kPitch : back));
      for (std::size_t k = 0; k < kRow; ++k)
        in_lockstep(
            expected, [&](int lane) { return expected[static_cast<std::size_t>(lane) * kPitch + k + kPitch] * 3 + static_cast<cl_uint>(k); },
            [&](int lane) { return static_cast<int>(static_cast<std::size_t>(lane) * kPitch + k + back); });
      ASSERT_EQ(session.download<cl_uint>(a, kCount), expected);
    }
}

TEST_F(OverlappingRows, OfAnotherPitch) {
  check("a[row + k] = a[2 * row - 590 + k] + 5;", 0, kLength, 1, [](auto& a, const auto& row, int k, int) {
    in_lockstep(a, [&](int lane) { return a[2 * row(lane) - 590 + k] + 5; }, [&](int lane) { return row(lane) + k; });
  });
}

// Vectors of three take the room of four: what the fourth is, nobody says.
TEST_F(WrittenShorts, OfThree) {
  const Program program = session.build(R"(
    kernel void k(global const ushort3* in, global ushort3* out, local ushort3* row, int n) {
      const int first = get_local_id(0) * n;
      for (int i = 0; i < n; ++i) row[first + i] = (ushort3)(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < n; ++i) row[first + i] = in[get_global_id(0) * n + i];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = 0; i < n; ++i) out[get_global_id(0) * n + i] = row[first + i];
    })");
  constexpr std::size_t kGroup = 64, kItems = 4 * kGroup, kEach = 3, kNumbers = 4 * kItems * kEach;
  std::vector<cl_ushort> in(kNumbers);
  for (std::size_t i = 0; i < kNumbers; ++i) in[i] = static_cast<cl_ushort>(i * 40503u >> 3);
  const Mem out = session.upload(std::vector<cl_ushort>(kNumbers));
  session.launch(session.kernel(program, "k"), {{kItems}, {kGroup}}, session.upload(in), out,
                 LocalBytes{4 * sizeof(cl_ushort) * kGroup * kEach}, static_cast<cl_int>(kEach));
  const auto got = session.download<cl_ushort>(out, kNumbers);
  for (std::size_t i = 0; i < kNumbers; ++i)
    if (i % 4 < 3) ASSERT_EQ(got[i], in[i]) << "number " << i;
}

// Rows of bytes and of words a large power of two apart, and others.
TEST_F(WrittenBytes, Sums) {
  const Program program = session.build(R"(
kernel void sums(global const uchar* x, global uint* y, int n, int pitch) {
  const int row = get_global_id(0);
  uint s = 0;
  for (int k = 0; k < n; ++k) { s += x[row * pitch + k]; y[row * pitch + k] = s; }
}
kernel void shorts(global const ushort* x, global uint* y, int n, int pitch) {
  const int row = get_global_id(0);
  uint s = 0;
  for (int k = n - 1; k >= 0; --k) { s = s * 3 + x[row * pitch + k]; y[row * pitch + k] = s; }
})");
  constexpr std::size_t kRows = 64;
  for (const std::size_t pitch : {1024, 2048, 1031})
    for (const std::size_t n : {1024, 1000, 67, 15, 0}) {
      SCOPED_TRACE(std::to_string(n) + " of " + std::to_string(pitch));
      std::vector<cl_uchar> bytes(2 * kRows * pitch);
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<cl_uchar>(i * 31 % 251);
      const auto* shorts = reinterpret_cast<const cl_ushort*>(bytes.data());
      const Mem from = session.upload(bytes);
      for (const bool down : {false, true}) {
        const Mem to = session.upload(std::vector<cl_uint>(kRows * pitch, 7));
        session.launch(session.kernel(program, down ? "shorts" : "sums"), {{kRows}, {32}}, from, to, static_cast<cl_int>(n), static_cast<cl_int>(pitch));
        const auto out = session.download<cl_uint>(to, kRows * pitch);
        std::vector<cl_uint> wanted(kRows * pitch, 7);
        for (std::size_t row = 0; row < kRows; ++row) {
          cl_uint s = 0;
          for (std::size_t k = 0; k < n; ++k) {
            const std::size_t at = row * pitch + (down ? n - 1 - k : k);
            wanted[at] = s = down ? s * 3 + shorts[at] : s + bytes[at];
          }
        }
        ASSERT_EQ(out, wanted);
      }
    }
}

}  // namespace
}  // namespace weft::conformance
