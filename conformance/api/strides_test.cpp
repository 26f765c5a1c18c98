// Strides that launches give as arguments: code that is made for a stride of 1 must serve no other launch, in whichever order they come.
#include <numeric>
#include <tuple>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Strides : public ApiTest {
 protected:
  static constexpr int kItems = 300;

  static std::vector<cl_int> counted(std::size_t count) {
    std::vector<cl_int> values(count);
    std::iota(values.begin(), values.end(), 1);
    return values;
  }
};

TEST_F(Strides, OfTwoArraysInAnyOrder) {
  const Program program = session.build(R"(
kernel void copy(global const int* in, int in_step, global int* out, int out_step, int count) {
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) out[i * out_step] = in[i * in_step] * 3;
})");
  const Kernel kernel = session.kernel(program, "copy");
  const auto in = counted(kItems * 8);
  const Mem from = session.upload(in);
  const std::pair<int, int> orders[] = {{1, 1}, {2, 1}, {1, 1}, {1, 3}, {3, 2}, {1, 1}, {0, 1}, {5, 7}, {7, 5}, {1, 2}, {1, 1}};
  for (const auto& [in_step, out_step] : orders) {
    SCOPED_TRACE(std::to_string(in_step) + ", " + std::to_string(out_step));
    const std::vector<cl_int> empty(kItems * 8, -7);
    const Mem to = session.upload(empty);
    for (int repeated = 0; repeated < 2; ++repeated) session.launch(kernel, {{128}, {32}}, from, in_step, to, out_step, cl_int{kItems});
    auto expected = empty;
    for (int i = 0; i < kItems; ++i) expected[i * out_step] = in[i * in_step] * 3;
    EXPECT_EQ(session.download<cl_int>(to, expected.size()), expected);
  }
}

/// Steps of 64 bits and 16, whose upper bytes count, and a stride that a loop adds up.
TEST_F(Strides, OfOtherTypes) {
  const Program program = session.build(R"(
kernel void sum(global const int* in, long step, global int* out, ushort out_step, int rounds) {
  long at = get_global_id(0) * step;
  int total = 0;
  for (int k = 0; k < rounds; ++k, at += step * get_global_size(0)) total += in[at];
  out[get_global_id(0) * out_step] = total;
})");
  const Kernel kernel = session.kernel(program, "sum");
  const auto in = counted(64 * 4 * 260);
  const Mem from = session.upload(in);
  for (const auto& [step, out_step] : std::vector<std::pair<cl_long, cl_ushort>>{{1, 1}, {257, 1}, {1, 257}, {1, 1}, {2, 256}}) {
    SCOPED_TRACE(std::to_string(step) + ", " + std::to_string(out_step));
    const std::vector<cl_int> empty(64 * 260, -7);
    const Mem to = session.upload(empty);
    session.launch(kernel, {{64}, {64}}, from, step, to, out_step, cl_int{4});
    auto expected = empty;
    for (int i = 0; i < 64; ++i) {
      cl_int total = 0;
      for (int k = 0; k < 4; ++k) total += in[(i + k * 64) * step];
      expected[i * out_step] = total;
    }
    EXPECT_EQ(session.download<cl_int>(to, expected.size()), expected);
  }
}

/// Through rows of the lanes' own: what a counter is multiplied by, and what a loop goes on by.
TEST_F(Strides, OfLoops) {
  const Program program = session.build(R"(
kernel void rows(global const int* in, global int* out, int row, int column, long step, int count) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < count; ++k) sum = sum * 3 + in[i * row + k * column];
  global const int* place = in + i * row;
  for (int k = 0; k < count; ++k, place += step) sum = sum * 5 + *place;
  out[i * (count + 1)] = sum;
  for (int k = 0, to = i * (count + 1); k < count; ++k) {
    to += column;
    out[to] = k;
  }
})");
  const Kernel kernel = session.kernel(program, "rows");
  constexpr int kRows = 100, kCount = 13;
  const auto in = counted(kRows * 40);
  const Mem from = session.upload(in);
  for (const auto& [row, column, step] : std::vector<std::tuple<cl_int, cl_int, cl_long>>{
           {13, 1, 1}, {13, 1, 2}, {1, 100, 100}, {13, 1, 1}, {1, 1, 1}, {40, 3, 1}, {0, 1, 3}, {20, 0, 0}, {13, 1, 1}}) {
    SCOPED_TRACE(std::to_string(row) + ", " + std::to_string(column) + ", " + std::to_string(step));
    const std::vector<cl_int> empty((kRows + 1) * (kCount + 1) + kCount * 100, -7);
    const Mem to = session.upload(empty);
    const bool stays_in_row = column <= 1;  // otherwise rows write each other's places
    session.launch(kernel, {{kRows}, {20}}, from, to, row, column, step, cl_int{kCount});
    const auto got = session.download<cl_int>(to, empty.size());
    for (int i = 0; i < kRows && stays_in_row; ++i) {
      cl_uint sum = 0;
      for (int k = 0; k < kCount; ++k) sum = sum * 3 + in[i * row + k * column];
      for (int k = 0; k < kCount; ++k) sum = sum * 5 + in[i * row + k * step];
      ASSERT_EQ(got[i * (kCount + 1)], column == 0 ? kCount - 1 : static_cast<cl_int>(sum)) << i;
      for (int k = 0; k < kCount && column == 1; ++k) ASSERT_EQ(got[i * (kCount + 1) + k + 1], k) << i << ", " << k;
    }
  }
}

/// What is multiplied by the place is no stride of an address: it decides who works.
TEST_F(Strides, ThatAreNone) {
  const Program program = session.build(R"(
kernel void k(global int* out, int factor, int bound) {
  const int i = get_global_id(0);
  out[i] = i * factor < bound ? i * factor : -factor;
})");
  const Kernel kernel = session.kernel(program, "k");
  for (const int factor : {1, 2, 1, 0, -3}) {
    const Mem to = session.upload(std::vector<cl_int>(kItems, 77));
    session.launch(kernel, {{kItems}, {100}}, to, cl_int{factor}, cl_int{90});
    const auto got = session.download<cl_int>(to, kItems);
    for (int i = 0; i < kItems; ++i) ASSERT_EQ(got[i], i * factor < 90 ? i * factor : -factor) << i << " of factor " << factor;
  }
}

}  // namespace
}  // namespace weft::conformance
