// Work-items that search until they have found something, and such that compare sums of bytes.
#include <algorithm>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

using Bytes = std::vector<cl_uchar>;

class Searches : public ApiTest {
 protected:
  static constexpr std::size_t kBehind = 64;
  const std::vector<std::size_t> locals = {256, 64, 96, 40, 1};

  /// Bytes below `most`, so many that searches behind the last work-item end within them.
  static Bytes text(std::size_t count, unsigned most) {
    Bytes bytes(count + kBehind);
    std::uint32_t state = 99;
    for (cl_uchar& byte : bytes) {
      state = state * 1664525u + 1013904223u;
      byte = static_cast<cl_uchar>((state >> 20) % most);
    }
    return bytes;
  }

  template <typename T>
  void expect(const Kernel& kernel, std::size_t local, const Bytes& in, const std::function<T(std::size_t)>& host, const Mem& other,
              cl_int number) {
    const std::size_t count = 3 * local;
    const Mem from = session.upload(in);
    const Mem to = session.upload(std::vector<T>(count, T{0x5a}));
    session.launch(kernel, {{count}, {local}}, from, other, number, to);
    const auto got = session.download<T>(to, count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(got[i], host(i)) << "item " << i << " of groups of " << local << ", " << number;
  }
};

TEST_F(Searches, WhetherAWordBegins) {
  const Program program = session.build(R"(
    kernel void k(global const uchar* text, constant uchar* word, int length, global uchar* found) {
      const size_t i = get_global_id(0);
      int k = 0;
      while (k < length && text[i + k] == word[k]) ++k;
      found[i] = k == length;
    })");
  const Kernel kernel = session.kernel(program, "k");
  const Bytes word = {1, 0, 1, 1, 0, 0, 1};
  for (const std::size_t local : locals)
    for (const cl_int length : {-1, 0, 1, 2, 4, 7}) {
      const Bytes in = text(3 * local, 2);
      const auto host = [&](std::size_t i) {
        if (length < 0) return cl_uchar{0};
        return static_cast<cl_uchar>(std::equal(word.begin(), word.begin() + length, in.begin() + static_cast<std::ptrdiff_t>(i)));
      };
      expect<cl_uchar>(kernel, local, in, host, session.upload(word), length);
    }
}

TEST_F(Searches, HowFarAndWhetherAtAll) {
  const Program program = session.build(R"(
    kernel void k(global const uchar* text, global const uchar* ends, int most, global ushort* found) {
      const int i = get_global_id(0);
      int k = 0;
      for (; k < most; ++k) if (text[i + k] == ends[0]) break;
      found[i] = (ushort)((uchar)k | (k > 2) << 8 | (k < most) << 9 | (most - 1 == k) << 10);
    })");
  const Kernel kernel = session.kernel(program, "k");
  for (const std::size_t local : locals)
    for (const cl_int most : {0, 1, 3, 50}) {
      const Bytes in = text(3 * local, 13);
      const auto host = [&](std::size_t i) {
        int k = 0;
        while (k < most && in[i + static_cast<std::size_t>(k)] != 5) ++k;
        return static_cast<cl_ushort>(k | (k > 2) << 8 | (k < most) << 9 | (most - 1 == k) << 10);
      };
      expect<cl_ushort>(kernel, local, in, host, session.upload(Bytes{5}), most);
    }
}

TEST_F(Searches, InALoop) {
  const Program program = session.build(R"(
    kernel void k(global const uchar* text, global const uchar* words, int most, global ushort* found) {
      const int i = get_global_id(0);
      ushort matches = 0;
      for (int w = 0; w < 4; ++w) {
        int k = 0;
        while (k < most && text[i + k] == words[4 * w + k]) ++k;
        matches += k == most;
        if (matches == 3) break;
      }
      found[i] = matches;
    })");
  const Kernel kernel = session.kernel(program, "k");
  const Bytes words = {0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1};
  for (const std::size_t local : locals)
    for (const cl_int most : {0, 1, 2, 4}) {
      const Bytes in = text(3 * local, 2);
      const auto host = [&](std::size_t i) {
        cl_ushort matches = 0;
        for (int w = 0; w < 4 && matches < 3; ++w)
          matches += std::equal(words.begin() + 4 * w, words.begin() + 4 * w + most, in.begin() + static_cast<std::ptrdiff_t>(i));
        return matches;
      };
      expect<cl_ushort>(kernel, local, in, host, session.upload(words), most);
    }
}

TEST_F(Searches, SumsOfBytesCompared) {
  const Program program = session.build(R"(
    kernel void k(global const uchar* text, global const uchar* other, int number, global ushort* found) {
      const int i = get_global_id(0);
      const int sum = text[i] + text[i + 1] + text[i + 2] + text[i + 3], most = max(text[i] + 200, text[i + 4] + text[i + 5]);
      const int bits = (text[i] > 100) + (text[i + 1] > 100) + (text[i + 2] > 100);
      const int odd = text[i] + text[i + 7];
      ushort r = (sum > 254) | (sum == 100) << 1 | (sum < 255) << 2 | (most <= 254) << 3 | (most != 255) << 4 | (bits >= 2) << 5;
      r |= (odd > 90) << 6 | (odd & 128);
      if (sum == 100 || (sum > 60 && other[i])) r |= 256;
      found[i] = r;
    })");
  const Kernel kernel = session.kernel(program, "k");
  for (const std::size_t local : locals)
    for (const unsigned most : {50u, 80u, 256u}) {
      const Bytes in = text(3 * local, most);
      const Bytes other = text(3 * local, 3);
      const auto host = [&](std::size_t i) {
        const int sum = in[i] + in[i + 1] + in[i + 2] + in[i + 3], greatest = std::max(in[i] + 200, in[i + 4] + in[i + 5]);
        const int bits = (in[i] > 100) + (in[i + 1] > 100) + (in[i + 2] > 100);
        const int odd = in[i] + in[i + 7];
        int r = (sum > 254) | (sum == 100) << 1 | (sum < 255) << 2 | (greatest <= 254) << 3 | (greatest != 255) << 4 | (bits >= 2) << 5;
        r |= (odd > 90) << 6 | (odd & 128);
        if (sum == 100 || (sum > 60 && other[i])) r |= 256;
        return static_cast<cl_ushort>(r);
      };
      expect<cl_ushort>(kernel, local, in, host, session.upload(other), static_cast<cl_int>(most));
    }
}

/// What few lanes load under a mask lies behind the others' bounds.
TEST_F(Searches, LoadsOnOneSide) {
  const Program program = session.build(R"(
    kernel void k(global const uchar* text, global const uchar* other, int number, global uchar* found) {
      const int i = get_global_id(0);
      uchar r = text[i];
      if (i < number) r = other[i] + 1;
      found[i] = r;
    })");
  const Kernel kernel = session.kernel(program, "k");
  for (const std::size_t local : locals)
    for (const cl_int number : {0, 1, 33, static_cast<int>(local)}) {
      const Bytes in = text(3 * local, 256);
      const auto behind = static_cast<std::ptrdiff_t>(std::min<std::size_t>(static_cast<std::size_t>(std::max(1, number)), 3 * local));
      const Mem other = session.upload(Bytes(in.begin(), in.begin() + behind));
      const auto host = [&](std::size_t i) { return static_cast<cl_uchar>(static_cast<cl_int>(i) < number ? in[i] + 1 : in[i]); };
      expect<cl_uchar>(kernel, local, in, host, other, std::min(number, static_cast<cl_int>(3 * local)));
    }
}

/// Rows of their own, empty ones and such that end before they begin among them, of which each leaves out its own number; sums are whole.
TEST_F(Searches, SumsByLists) {
  const Program program = session.build(R"(
    kernel void k(global const int* first, global const int* column, global const float* a, global const float* x, global float* sums) {
      const int i = get_global_id(0);
      float sum = i, all = 0;
      for (int k = first[2 * i]; k < first[2 * i + 1]; ++k) {
        all = mad(a[k], x[column[k]], all);
        if (column[k] != i) sum -= a[k] * x[column[k]];
      }
      sums[i] = sum + 0.25f * all;
    })");
  const Kernel kernel = session.kernel(program, "k");
  for (const std::size_t local : locals)
    for (const unsigned most : {1u, 9u, 40u, 200u}) {
      const std::size_t count = 3 * local;
      const Bytes lengths = text(count, most);
      std::vector<cl_int> first, column;
      for (std::size_t i = 0; i < count; ++i) {
        first.push_back(static_cast<cl_int>(column.size()));
        for (unsigned k = 0; k < lengths[i]; ++k) column.push_back(static_cast<cl_int>((i + k * k) % count));
        first.push_back(i % 7 == 6 ? -5 : static_cast<cl_int>(column.size()));
      }
      column.push_back(0);
      std::vector<cl_float> a, x;
      for (std::size_t k = 0; k < column.size(); ++k) a.push_back(static_cast<cl_float>(k % 13));
      for (std::size_t k = 0; k < count; ++k) x.push_back(static_cast<cl_float>(k % 9) - 4);
      const Mem sums = session.upload(std::vector<cl_float>(count));
      session.launch(kernel, {{count}, {local}}, session.upload(first), session.upload(column), session.upload(a), session.upload(x), sums);
      const auto got = session.download<cl_float>(sums, count);
      for (std::size_t i = 0; i < count; ++i) {
        cl_float sum = static_cast<cl_float>(i), all = 0;
        for (cl_int k = first[2 * i]; k < first[2 * i + 1]; ++k) {
          const auto at = static_cast<std::size_t>(k), to = static_cast<std::size_t>(column[at]);
          all += a[at] * x[to];
          if (to != i) sum -= a[at] * x[to];
        }
        ASSERT_EQ(got[i], sum + 0.25f * all) << "item " << i << " of groups of " << local << ", rows below " << most;
      }
    }
}

}  // namespace
}  // namespace weft::conformance
