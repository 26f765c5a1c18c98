// What a loop computes for a sum and a later loop for what it writes (compiler/simt/item/kept_results.h): the numbers are those of the program, also where what
// is written is what is read, or where others write it too.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

/// A costly function of integers, so that numbers are exact. L: the local size.
constexpr const char* kSource = R"(
uint mix(uint x) {
  for (int k = 0; k < 6; ++k) { x ^= x >> 15; x *= 0x2c1b3c6du + k; x ^= x >> 12; x *= 0x297a2d39u; }
  return x;
}
uint total(local uint* t, uint sum) {
  const int l = get_local_id(0);
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  for (int k = 0; k < L; ++k) sum += t[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum;
}
#define MIXED(i, n) uint sum = 0; for (int i = get_local_id(0); i < n; i += L) sum += mix(in[g * pitch + i] + 3);
kernel void rows(global const uint* in, global uint* out, int n, int pitch, local uint* t) {
  const int g = get_group_id(0);
  MIXED(i, n)
  sum = total(t, sum);
  for (int i = get_local_id(0); i < n; i += L) out[g * pitch + i] = mix(in[g * pitch + i] + 3) ^ sum;
}
kernel void pairs(global const uint2* in, global uint2* out, int n, int pitch, local uint* t) {
  const int g = get_group_id(0);
  uint2 sums = 0;
  for (int i = get_local_id(0); i < n / 2; i += L) {
    const uint2 x = in[g * (pitch / 2) + i];
    sums += (uint2)(mix(x.x + 3), mix(x.y + 3));
  }
  const uint sum = total(t, sums.x + sums.y);
  for (int i = get_local_id(0); i < n / 2; i += L) {
    const uint2 x = in[g * (pitch / 2) + i];
    out[g * (pitch / 2) + i] = (uint2)(mix(x.x + 3), mix(x.y + 3)) ^ sum;
  }
}
kernel void by_rows(global const uint* in, global uint* out, int n, int pitch, local uint* t) {
  for (int k = 0; k < 2; ++k) {
    const int g = get_group_id(0) * 2 + k;
    MIXED(i, n)
    sum = total(t, sum);
    for (int i = get_local_id(0); i < n; i += L) out[g * pitch + i] = mix(in[g * pitch + i] + 3) ^ sum;
  }
}
// Behind what is computed again, to the same place.
kernel void shorter(global const uint* in, global uint* out, int n, int pitch, local uint* t) {
  const int g = get_group_id(0);
  MIXED(i, n)
  sum = total(t, sum);
  for (int i = get_local_id(0); i < n / 2; i += L) out[g * pitch + i] = mix(in[g * pitch + i] + 3) ^ sum;
}
kernel void sometimes(global const uint* in, global uint* out, int n, int pitch, local uint* t) {
  const int g = get_group_id(0);
  MIXED(i, n)
  sum = total(t, sum);
  if (sum & 1)
    for (int i = get_local_id(0); i < n; i += L) out[g * pitch + i] = mix(in[g * pitch + i] + 3) ^ sum;
}
kernel void twice(global const uint* in, global uint* out, int n, int pitch, local uint* t) {
  const int g = get_group_id(0) / 2;
  MIXED(i, n)
  sum = total(t, sum);
  for (int i = get_local_id(0); i < n; i += L) out[g * pitch + i] = mix(in[g * pitch + i] + 3) ^ sum;
}
)";

class KeptResults : public ApiTest, public testing::WithParamInterface<int> {
 protected:
  static constexpr int kRows = 12, kPitch = 704;
  static constexpr cl_uint kNothing = 0xcdcdcdcd;

  static cl_uint mix(cl_uint x) {
    for (cl_uint k = 0; k < 6; ++k) {
      x ^= x >> 15;
      x *= 0x2c1b3c6du + k;
      x ^= x >> 12;
      x *= 0x297a2d39u;
    }
    return x;
  }

  /// `columns`: that a group writes of `n`. `is_written`, by the row's sum.
  void check(const char* name, int groups, int rows, int n, int columns, bool (*is_written)(cl_uint) = [](cl_uint) { return true; },
             bool in_place = false) {
    SCOPED_TRACE(std::string(name) + ' ' + std::to_string(n));
    const std::size_t local = std::size_t(GetParam());
    const Program program = session.build(kSource, "-DL=" + std::to_string(local));
    std::vector<cl_uint> in(std::size_t(kRows) * kPitch);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = cl_uint(i * 7919 % 10007);
    const Mem from = session.upload(in);
    const Mem other = session.upload(std::vector<cl_uint>(in.size(), kNothing));
    const Mem& to = in_place ? from : other;
    session.launch(session.kernel(program, name), {{std::size_t(groups) * local}, {local}}, from, to, cl_int(n), cl_int(kPitch), LocalBytes{local * sizeof(cl_uint)});
    std::vector<cl_uint> expected = in_place ? in : std::vector<cl_uint>(in.size(), kNothing);
    for (int row = 0; row < rows; ++row) {
      cl_uint sum = 0;
      for (int i = 0; i < n; ++i) sum += mix(in[std::size_t(row * kPitch + i)] + 3);
      for (int i = 0; is_written(sum) && i < columns; ++i)
        expected[std::size_t(row * kPitch + i)] = mix(in[std::size_t(row * kPitch + i)] + 3) ^ sum;
    }
    EXPECT_EQ(session.download<cl_uint>(to, in.size()), expected);
  }
};

TEST_P(KeptResults, OfRows) {
  for (const int n : {0, 2, 30, 64, 200, 640, 704}) {
    check("rows", kRows, kRows, n, n);
    check("pairs", kRows, kRows, n, n);
    check("by_rows", kRows / 2, kRows, n, n);
  }
}

TEST_P(KeptResults, InPlace) {
  for (const int n : {30, 640}) {
    check("rows", kRows, kRows, n, n, [](cl_uint) { return true; }, /*in_place=*/true);
    check("pairs", kRows, kRows, n, n, [](cl_uint) { return true; }, /*in_place=*/true);
  }
}

TEST_P(KeptResults, OnlyOfWhatIsWritten) {
  for (const int n : {30, 640}) {
    check("shorter", kRows, kRows, n, n / 2);
    check("sometimes", kRows, kRows, n, n, [](cl_uint sum) { return (sum & 1) != 0; });
  }
}

TEST_P(KeptResults, OfGroupsThatDoTheSame) {
  for (const int n : {30, 640}) check("twice", 2 * kRows, kRows, n, n);
}

INSTANTIATE_TEST_SUITE_P(LocalSizes, KeptResults, testing::Values(1, 7, 32, 64, 256));

}  // namespace
}  // namespace weft::conformance
