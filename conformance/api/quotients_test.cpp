// Rows that kernels cut out of one dimension by a division, of any width (compiler/simt/item/common_quotients.h).
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Quotients : public ApiTest {};

TEST_F(Quotients, OfIdsByWidths) {
  const Program program = session.build(R"(
kernel void of_uint(global const int* in, global int* out, uint width, uint pitch, uint n) {
  const uint i = get_global_id(0);
  if (i >= n) return;
  out[i] = in[i / width * pitch + i % width];
}
kernel void of_int(global const int* in, global int* out, int width, int pitch, int n) {
  const int i = get_global_id(0), x = i % width, y = i / width;
  if (i < n) out[i] = in[y * pitch + x];
}
kernel void of_long(global const int* in, global int* out, uint width, uint pitch, uint n) {
  const size_t i = get_global_id(0), w = width;
  if (i >= n) return;
  const size_t x = i % w, y = i / w;
  out[i] = in[y * pitch + x];
}
kernel void from_below(global const int* in, global int* out, int width, int pitch, int n) {
  const int i = (int)get_global_id(0) - 40;
  if (i >= n - 40) return;
  const int x = i % width, y = i / width;
  out[i + 40] = in[50 * pitch + y * pitch + x];
}
)");
  constexpr int kItems = 1024, kPitch = 1100;
  std::vector<cl_int> in(60 * kPitch + kItems * 40);
  std::iota(in.begin(), in.end(), 7);
  const Mem buffer = session.upload(in);
  for (const char* name : {"of_uint", "of_int", "of_long", "from_below"}) {
    const Kernel kernel = session.kernel(program, name);
    const int below = std::string(name) == "from_below" ? 40 : 0;
    for (const std::size_t local : {16u, 64u, 256u})
      for (const cl_int width : {1, 3, 31, 32, 33, 100, 512, 1000, 5000})
        for (const cl_int n : {kItems, 1000}) {
          SCOPED_TRACE(std::string(name) + " " + std::to_string(width) + " in " + std::to_string(local));
          const cl_int pitch = width < 40 ? 40 : kPitch;
          const Mem out = session.upload(std::vector<cl_int>(kItems, -1));
          session.launch(kernel, {{kItems}, {local}}, buffer, out, width, pitch, n);
          std::vector<cl_int> expected(kItems, -1);
          for (int i = 0; i < n; ++i) {
            const int number = i - below;
            expected[i] = in[(below ? 50 * pitch : 0) + number / width * pitch + number % width];
          }
          ASSERT_EQ(session.download<cl_int>(out, kItems), expected);
        }
  }
}

TEST_F(Quotients, OfSeveralDimensions) {
  const Program program = session.build(R"(
kernel void pool(global const int* in, global int* out, int w, int h) {
  const int i = get_global_id(0), x = i % w, y = i / w % h, c = i / (w * h);
  int most = in[(c * 2 * h + 2 * y) * 2 * w + 2 * x];
  for (int j = 0; j < 2; ++j)
    for (int k = 0; k < 2; ++k) most = max(most, in[(c * 2 * h + 2 * y + j) * 2 * w + 2 * x + k]);
  out[i] = most;
}
)");
  for (const cl_int w : {5, 40, 100, 128}) {
    const cl_int h = 6, channels = 3, items = w * h * channels;
    std::vector<cl_int> in(4 * std::size_t(items)), expected(items);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = cl_int(i * 7919 % 10007);
    for (cl_int c = 0; c < channels; ++c)
      for (cl_int y = 0; y < h; ++y)
        for (cl_int x = 0; x < w; ++x) {
          const auto at = [&](cl_int j, cl_int k) { return in[(c * 2 * h + 2 * y + j) * 2 * w + 2 * x + k]; };
          expected[(c * h + y) * w + x] = std::max({at(0, 0), at(0, 1), at(1, 0), at(1, 1)});
        }
    const Mem out = session.upload(std::vector<cl_int>(items, -1));
    session.launch(session.kernel(program, "pool"), {{std::size_t(items)}, {}}, session.upload(in), out, w, h);
    EXPECT_EQ(session.download<cl_int>(out, items), expected) << w;
  }
}

TEST_F(Quotients, InLoops) {
  const Program program = session.build(R"(
kernel void strided(global const int* in, global int* out, int width, int pitch, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i / width * pitch + i % width];
}
kernel void summed(global const int* in, global int* out, uint width, uint pitch, uint n) {
  int sum = 0;
  uint last = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    const uint x = i % width, y = i / width;
    if (x % 5 == 4) continue;
    sum = (int)((uint)sum * 3u + (uint)in[y * pitch + x]);
    last = y;
    if (sum == 12345) break;
  }
  out[get_global_id(0)] = sum ^ (int)(last * 7);
}
)");
  constexpr int kItems = 192, kPitch = 700;
  std::vector<cl_int> in(30 * kPitch + 1100 * 40);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = cl_int(i * 7919 % 1013);
  const Mem buffer = session.upload(in);
  for (const cl_int width : {1, 31, 64, 100, 512, 3000})
    for (const cl_int n : {1000, 1099}) {
      SCOPED_TRACE(width);
      const cl_int pitch = width < 40 ? 40 : kPitch;
      const auto read = [&](cl_int i) { return in[std::size_t(i / width * pitch + i % width)]; };
      const Mem out = session.upload(std::vector<cl_int>(n, -1));
      session.launch(session.kernel(program, "strided"), {{kItems}, {64}}, buffer, out, width, pitch, n);
      std::vector<cl_int> expected(n);
      for (cl_int i = 0; i < n; ++i) expected[i] = read(i);
      EXPECT_EQ(session.download<cl_int>(out, n), expected);

      session.launch(session.kernel(program, "summed"), {{kItems}, {64}}, buffer, out, width, pitch, n);
      std::vector<cl_int> sums(kItems);
      for (cl_int item = 0; item < kItems; ++item) {
        cl_uint sum = 0, last = 0;
        for (cl_int i = item; i < n; i += kItems) {
          if (i % width % 5 == 4) continue;
          sum = sum * 3 + cl_uint(read(i));
          last = cl_uint(i / width);
          if (sum == 12345) break;
        }
        sums[item] = cl_int(sum ^ last * 7);
      }
      EXPECT_EQ(session.download<cl_int>(out, kItems), sums);
    }
}

TEST_F(Quotients, InLoopsBetweenBarriers) {
  const Program program = session.build(R"(
kernel void layers(global const int* in, global const int* bias, global int* out, int spatial, int n) {
  local int sums[64];
  const int l = get_local_id(0), begin = get_group_id(0) * n;
  int sum = 0;
  for (int i = l; i < n; i += 64) sum += in[begin + i];
  sums[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 32; k > 0; k >>= 1) {
    if (l < k) sums[l] += sums[l + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum = sums[0];
  int last = 0;
  for (int i = l; i < n; i += 64) {
    last = in[begin + i] * bias[i / spatial] + i % spatial;
    out[begin + i] = last - sum;
  }
  if (l < n) out[get_num_groups(0) * n + get_global_id(0)] = last;
}
)");
  const Kernel kernel = session.kernel(program, "layers");
  constexpr int kGroups = 3, kItems = 64;
  for (const cl_int spatial : {1, 5, 32, 64, 100, 784})
    for (const cl_int n : {40, 64, 1000}) {
      SCOPED_TRACE(std::to_string(spatial) + " of " + std::to_string(n));
      std::vector<cl_int> in(kGroups * n), bias(n), expected(kGroups * (n + kItems), -1);
      std::iota(in.begin(), in.end(), -100);
      std::iota(bias.begin(), bias.end(), 3);
      for (int g = 0; g < kGroups; ++g) {
        const int sum = std::accumulate(in.begin() + g * n, in.begin() + (g + 1) * n, 0);
        for (int i = 0; i < n; ++i) {
          const int value = in[g * n + i] * bias[i / spatial] + i % spatial;
          expected[g * n + i] = value - sum;
          expected[kGroups * n + g * kItems + i % kItems] = value;
        }
      }
      const Mem out = session.upload(std::vector<cl_int>(expected.size(), -1));
      session.launch(kernel, {{kGroups * kItems}, {kItems}}, session.upload(in), session.upload(bias), out, spatial, n);
      ASSERT_EQ(session.download<cl_int>(out, expected.size()), expected);
    }
}

/// Dividends at and beside multiples of `divisor`, and at the ends of the type.
template <typename T>
std::vector<T> dividends(T divisor) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values{0, 1, 2, Limits::max(), static_cast<T>(Limits::max() - 1), Limits::min(), static_cast<T>(Limits::min() + 1)};
  const std::int64_t most = static_cast<std::int64_t>(Limits::max()) / divisor, least = static_cast<std::int64_t>(Limits::min()) / divisor;
  for (std::int64_t k = 0; values.size() < 1021; ++k)
    for (const std::int64_t quotient : {most - k, least + k, k * 7919})
      for (const std::int64_t beside : {-1, 0, 1}) values.push_back(static_cast<T>(quotient * divisor + beside));
  values.resize(1024);
  return values;
}

template <typename T>
class QuotientsOf : public ApiTest {
 public:
  void check(const char* type) {
    using Limits = std::numeric_limits<T>;
    const std::string t = type;
    const Program program =
        session.build("kernel void k(global const " + t + "2* in, global " + t + "2* out, global " + t + "2* rest, " + t + R"( by) {
  const int i = get_global_id(0);
  out[i] = in[i] / by;
  rest[i] = in[i] % by;
})");
    const Kernel kernel = session.kernel(program, "k");
    for (const T by :
         {T(1), T(2), T(3), T(7), T(10), T(100), T(-1), T(-2), T(-3), T(-100), Limits::max(), T(Limits::max() - 1), Limits::min()}) {
      if (by == 0) continue;
      std::vector<T> in = dividends<T>(by), quotients, rests;
      if (Limits::is_signed && by == T(-1)) std::replace(in.begin(), in.end(), Limits::min(), T(5));
      for (const T value : in) {
        quotients.push_back(static_cast<T>(value / by));
        rests.push_back(static_cast<T>(value % by));
      }
      SCOPED_TRACE(t + " by " + std::to_string(by));
      const Mem out = session.upload(in), rest = session.upload(in);
      session.launch(kernel, {{in.size() / 2}, {64}}, session.upload(in), out, rest, by);
      ASSERT_EQ(session.download<T>(out, in.size()), quotients);
      ASSERT_EQ(session.download<T>(rest, in.size()), rests);
    }
  }
};

using QuotientsOfInts = QuotientsOf<cl_int>;
using QuotientsOfUints = QuotientsOf<cl_uint>;
using QuotientsOfShorts = QuotientsOf<cl_short>;
using QuotientsOfUshorts = QuotientsOf<cl_ushort>;
using QuotientsOfChars = QuotientsOf<cl_char>;
using QuotientsOfUchars = QuotientsOf<cl_uchar>;
TEST_F(QuotientsOfInts, ByOneForAll) { check("int"); }
TEST_F(QuotientsOfUints, ByOneForAll) { check("uint"); }
TEST_F(QuotientsOfShorts, ByOneForAll) { check("short"); }
TEST_F(QuotientsOfUshorts, ByOneForAll) { check("ushort"); }
TEST_F(QuotientsOfChars, ByOneForAll) { check("char"); }
TEST_F(QuotientsOfUchars, ByOneForAll) { check("uchar"); }

// Of 64 bits by constants (compiler/wide/long_quotients.h): factors with and without a 65th bit, with shifts before and behind the product.
TEST_F(Quotients, OfLongsByConstants) {
  std::vector<cl_ulong> in = {0, 1, 2, 6, 7, 8, 9, 10, 640, 641, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
                              0x8000000000000000, 0x8000000000000001, 0xfffffffffffffffe, 0xffffffffffffffff};
  cl_ulong state = 1;
  while (in.size() < 64 * 20) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    in.push_back(state >> in.size() % 40);
  }
  constexpr cl_ulong kLeast = cl_ulong{1} << 63;
  const std::vector<cl_ulong> divisors = {3, 5, 7, 10, 14, 28, 100, 641, 6700417, 998244353, 0xfffffffb, 0x100000001, 1000000007ull * 1000000009, kLeast - 1,
                                          kLeast + 1, cl_ulong(-3), cl_ulong(-7), cl_ulong(-10), cl_ulong(-641), cl_ulong(-1)};
  std::string source = "kernel void each(global const ulong* in, global ulong* quotients, global ulong* rests, global long* quotients_signed, global long* rests_signed, int n) {\n"
                       "  const int i = get_global_id(0);\n  const ulong x = in[i];\n  const long y = x;\n";
  for (std::size_t k = 0; k < divisors.size(); ++k) {
    const std::string d = std::to_string(divisors[k]) + "UL", at = "[" + std::to_string(k) + " * n + i] = ";
    source += "  quotients" + at + "x / " + d + "; rests" + at + "x % " + d + ";\n";
    source += divisors[k] == cl_ulong(-1) ? "  quotients_signed" + at + "y; rests_signed" + at + "0;\n"
                                          : "  quotients_signed" + at + "y / (long)" + d + "; rests_signed" + at + "y % (long)" + d + ";\n";
  }
  // Of numbers that are known to be short: of less than 31 and of less than 62 bits.
  source += "  quotients[" + std::to_string(divisors.size()) + " * n + i] = (x >> 33) / 7; rests[" + std::to_string(divisors.size()) +
            " * n + i] = (x >> 34) * (x & 0x3fffffff) % 998244353;\n}\n";
  const Program program = session.build(source);
  const std::size_t n = in.size(), count = n * (divisors.size() + 1);
  const Mem buffer = session.upload(in), quotients = session.upload(std::vector<cl_ulong>(count)), rests = session.upload(std::vector<cl_ulong>(count)),
            quotients_signed = session.upload(std::vector<cl_long>(count)), rests_signed = session.upload(std::vector<cl_long>(count));
  session.launch(session.kernel(program, "each"), {{n}, {64}}, buffer, quotients, rests, quotients_signed, rests_signed, static_cast<cl_int>(n));
  const auto got = session.download<cl_ulong>(quotients, count), got_rests = session.download<cl_ulong>(rests, count);
  const auto got_signed = session.download<cl_long>(quotients_signed, count), got_rests_signed = session.download<cl_long>(rests_signed, count);
  for (std::size_t i = 0; i < n; ++i) {
    const auto y = static_cast<cl_long>(in[i]);
    for (std::size_t k = 0; k < divisors.size(); ++k) {
      SCOPED_TRACE(std::to_string(in[i]) + " by " + std::to_string(divisors[k]));
      ASSERT_EQ(got[k * n + i], in[i] / divisors[k]);
      ASSERT_EQ(got_rests[k * n + i], in[i] % divisors[k]);
      const auto d = static_cast<cl_long>(divisors[k]);
      ASSERT_EQ(got_signed[k * n + i], d == -1 ? y : y / d);
      ASSERT_EQ(got_rests_signed[k * n + i], d == -1 ? 0 : y % d);
    }
    ASSERT_EQ(got[divisors.size() * n + i], (in[i] >> 33) / 7);
    ASSERT_EQ(got_rests[divisors.size() * n + i], (in[i] >> 34) * (in[i] & 0x3fffffff) % 998244353);
  }
}

// Places taken apart by divisions and put together again (compiler/simt/item/recombined_indices.h), and coordinates that are compared.
TEST_F(Quotients, OfFields) {
  const Program program = session.build(R"(
#define STEP(T)                                                                                       \
  int s = in[(x * (T)ny + y) * (T)nz + z];                                                            \
  if (y + 1 < (T)ny) s += 3 * in[(x * (T)ny + y + 1) * (T)nz + z];                                    \
  if (x + 1 < (T)nx) s += 5 * in[((x + 1) * (T)ny + y) * (T)nz + z];                                  \
  if (z > 0) s += 7 * in[(x * (T)ny + y) * (T)nz + z - 1];                                            \
  out[(x * (T)ny + y) * (T)nz + z] = s + 1000 * (int)x + 100000 * (int)y + 10000000 * (int)z
kernel void of_int(global const int* in, global int* out, int nx, int ny, int nz) {
  const int i = get_global_id(0), x = i / (ny * nz), y = i % (ny * nz) / nz, z = i % nz;
  if (x >= nx) return;
  STEP(int);
}
kernel void of_uint(global const int* in, global int* out, uint nx, uint ny, uint nz) {
  const uint i = get_global_id(0), z = i % nz, y = i / nz % ny, x = i / (ny * nz);
  if (x >= nx) return;
  STEP(uint);
}
kernel void of_long(global const int* in, global int* out, int nx, int ny, int nz) {
  size_t i = get_global_id(0);
  const size_t z = i % nz;
  i /= nz;
  const size_t y = i % ny, x = i / ny;
  if (x >= nx) return;
  STEP(size_t);
}
kernel void cut(global const int* in, global int* out, int nx, int ny, int nz) {
  const size_t i = get_global_id(0), plane = (size_t)ny * nz;
  const int x = i / plane, y = i % plane / (size_t)nz, z = i % (size_t)nz;
  if (x >= nx) return;
  STEP(int);
}
kernel void longs_by_ints(global const int* in, global int* out, int nx, int ny, int nz) {
  for (long i = get_global_id(0); i < nx * ny * nz; i += get_global_size(0)) {
    const int x = i / (ny * nz), y = i % (ny * nz) / nz, z = i % nz;
    STEP(int);
  }
}
kernel void in_loop(global const int* in, global int* out, int nx, int ny, int nz) {
  for (int i = get_global_id(0) - 5; i < nx * ny * nz; i += get_global_size(0) / 3) {
    if (i < 0) continue;
    const int x = i / (nz * ny), r = i - x * (nz * ny), y = r / nz, z = r - y * nz;
    STEP(int);
  }
}
)");
  const std::array<std::array<cl_int, 3>, 8> fields = {{{3, 5, 7}, {1, 1, 900}, {900, 1, 1}, {4, 3, 71}, {2, 32, 33}, {5, 16, 16}, {2, 100, 1}, {7, 31, 13}}};
  for (const char* name : {"of_int", "of_uint", "of_long", "cut", "longs_by_ints", "in_loop"}) {
    const Kernel kernel = session.kernel(program, name);
    for (const auto& [nx, ny, nz] : fields) {
      const std::size_t count = std::size_t(nx) * ny * nz;
      std::vector<cl_int> in(count), expected(count);
      for (std::size_t i = 0; i < count; ++i) in[i] = cl_int(i * 7919 % 1009);
      for (cl_int x = 0; x < nx; ++x)
        for (cl_int y = 0; y < ny; ++y)
          for (cl_int z = 0; z < nz; ++z) {
            const auto at = [&](cl_int a, cl_int b, cl_int c) { return (std::size_t(a) * ny + b) * nz + c; };
            cl_int s = in[at(x, y, z)];
            if (y + 1 < ny) s += 3 * in[at(x, y + 1, z)];
            if (x + 1 < nx) s += 5 * in[at(x + 1, y, z)];
            if (z > 0) s += 7 * in[at(x, y, z - 1)];
            expected[at(x, y, z)] = s + 1000 * x + 100000 * y + 10000000 * z;
          }
      for (const std::size_t local : {16u, 64u, 256u}) {
        SCOPED_TRACE(std::string(name) + " " + std::to_string(nx) + " x " + std::to_string(ny) + " x " + std::to_string(nz) + " in " + std::to_string(local));
        const Mem out = session.upload(std::vector<cl_int>(count, -1));
        session.launch(kernel, {{(count + 255) / 256 * 256}, {local}}, session.upload(in), out, nx, ny, nz);
        ASSERT_EQ(session.download<cl_int>(out, count), expected);
      }
    }
  }
}

TEST_F(Quotients, OfRowsOfGroups) {
  const Program program = session.build(R"(
kernel void rows(global int* out, int by, uint shift) {
  const int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  const uint high = get_global_id(0) + shift;
  const ulong highest = get_global_id(0) + ((ulong)shift << 32 | shift);
  out[4 * (y * w + x)] = x / by;
  out[4 * (y * w + x) + 1] = x % by + 100 * y;
  out[4 * (y * w + x) + 2] = high % (uint)by;
  out[4 * (y * w + x) + 3] = highest % (uint)by;
}
)");
  const Kernel kernel = session.kernel(program, "rows");
  constexpr int kWidth = 96, kHeight = 8;
  for (const std::array<std::size_t, 2> local : {std::array<std::size_t, 2>{16, 4}, {32, 2}, {48, 4}, {96, 1}, {8, 8}})
    for (const cl_int by : {1, 5, 16, 17, 31, 32, 50, 1000, -3, -40})
      for (const cl_uint shift : {0u, 0xfffffff0u, 0xffffffc0u, 0x7ffffff8u}) {
        SCOPED_TRACE(std::to_string(local[0]) + " x " + std::to_string(local[1]) + " by " + std::to_string(by) + " from " + std::to_string(shift));
        std::vector<cl_int> expected;
        for (int y = 0; y < kHeight; ++y)
          for (int x = 0; x < kWidth; ++x) {
            expected.push_back(x / by);
            expected.push_back(x % by + 100 * y);
            expected.push_back(cl_int((cl_uint(x) + shift) % cl_uint(by)));
            expected.push_back(cl_int((cl_ulong(x) + (cl_ulong(shift) << 32 | shift)) % cl_uint(by)));
          }
        const Mem out = session.upload(std::vector<cl_int>(expected.size(), -1));
        session.launch(kernel, {{kWidth, kHeight}, {local[0], local[1]}}, out, by, shift);
        ASSERT_EQ(session.download<cl_int>(out, expected.size()), expected);
      }
}

// Bounds that most launches, not all, have within 31 bits (compiler/simt/item/bounded_counters.h).
TEST_F(Quotients, OfLongCounters) {
  const Program program = session.build(R"(
kernel void of_long(global int* out, long n, long last) {
  const int begin = get_local_size(0) * get_group_id(0) + get_local_id(0), step = get_global_size(0);
  for (long i = begin; i < n; i += step) {
    if (i > last) break;
    const int x = (size_t)i / (71 * 5), y = (size_t)i % (71 * 5) / 71, z = (size_t)i % 71;
    out[((size_t)x * 5 + y) * 71 + z] += 100 * x + 10 * y + z;
  }
}
kernel void of_ulong(global int* out, ulong n, ulong last) {
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
    if (i > last) break;
    const int x = i / (71 * 5), y = i / 71 % 5, z = i % 71;
    out[(x * 5 + y) * 71 + z] += 100 * x + 10 * y + z;
  }
}
)");
  constexpr cl_long kCount = 71 * 5 * 9 + 13;
  for (const char* name : {"of_long", "of_ulong"}) {
    const Kernel kernel = session.kernel(program, name);
    for (const cl_long n : {kCount, cl_long(3), cl_long(0), cl_long(-7), cl_long(1) << 31, (cl_long(1) << 31) - 1, cl_long(1) << 33, kCount}) {
      SCOPED_TRACE(std::string(name) + " below " + std::to_string(n));
      const cl_long last = kCount - 40;
      const bool is_all = n > last || (n < 0 && std::string(name) == "of_ulong");
      std::vector<cl_int> expected(kCount);
      for (cl_long i = 0; i < (is_all ? last + 1 : n); ++i) expected[i] = cl_int(100 * (i / 355) + 10 * (i % 355 / 71) + i % 71);
      for (int launch = 0; launch < 2; ++launch) {
        const Mem out = session.upload(std::vector<cl_int>(kCount, 0));
        session.launch(kernel, {{256}, {64}}, out, n, last);
        ASSERT_EQ(session.download<cl_int>(out, kCount), expected);
      }
    }
  }
}

// Bounds of loops that follow from a place in a row, as of windows that are means: what lanes begin with is computed where the loop begins.
TEST_F(Quotients, BeginLoops) {
  const Program program = session.build(R"(
kernel void means(global const float* in, global float* out, int count, int size, int height, int width, int rows, int columns) {
  const int id = get_global_id(0);
  if (id >= count) return;
  const int column = id % columns, row = id / columns % rows, plane = id / columns / rows;
  int top = row * 2 - 1, left = column * 2 - 1;
  const int bottom = min(min(top + size, height + 1), height), right = min(min(left + size, width + 1), width);
  top = max(top, 0);
  left = max(left, 0);
  float sum = 0.0f;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) sum += in[(plane * height + y) * width + x];
  out[id] = sum / ((bottom - top) * (right - left));
}
)");
  const Kernel kernel = session.kernel(program, "means");
  constexpr int kPlanes = 3;
  for (const cl_int size : {3, 12})
    for (const std::array<cl_int, 2> image : {std::array<cl_int, 2>{28, 28}, {9, 131}, {130, 6}}) {
      SCOPED_TRACE(std::to_string(image[0]) + " x " + std::to_string(image[1]) + " by " + std::to_string(size));
      const cl_int height = image[0], width = image[1], rows = (height + 1) / 2, columns = (width + 1) / 2, count = kPlanes * rows * columns;
      std::vector<float> in(static_cast<std::size_t>(kPlanes * height * width)), expected;
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 37 % 101);
      for (int id = 0; id < count; ++id) {
        const int plane = id / columns / rows, y0 = id / columns % rows * 2 - 1, x0 = id % columns * 2 - 1;
        const int bottom = std::min(y0 + size, height), right = std::min(x0 + size, width), top = std::max(y0, 0), left = std::max(x0, 0);
        float sum = 0;
        for (int y = top; y < bottom; ++y)
          for (int x = left; x < right; ++x) sum += in[static_cast<std::size_t>((plane * height + y) * width + x)];
        expected.push_back(sum / static_cast<float>((bottom - top) * (right - left)));
      }
      const Mem from = session.upload(in), out = session.upload(std::vector<float>(expected.size(), -1.0f));
      session.launch(kernel, {{static_cast<std::size_t>((count + 127) / 128 * 128)}, {128}}, from, out, count, size, height, width, rows, columns);
      const std::vector<float> got = session.download<float>(out, expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-4f) << i;
    }
}

}  // namespace
}  // namespace weft::conformance
