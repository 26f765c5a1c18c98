// Groups whose rows are no whole pieces of vectors (compiler/simt/item/padded_rows.h): lanes beyond a row write nothing, read nothing and wait
// for nobody.
#include <numeric>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
kernel void scaled(global const float* in, global float* out, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * pitch + x] = 2 * in[y * pitch + x];
}
kernel void bytes(global const uchar* in, global uchar* out, int pitch) {
  const size_t at = (get_group_id(1) * get_local_size(1) + get_local_id(1)) * pitch + get_group_id(0) * get_local_size(0) + get_local_id(0);
  out[at] = 255 - in[at];
}
kernel void of_group(global const int* in, global int* out, int pitch, local int* rows) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_local_size(0), lx = get_local_id(0), ly = get_local_id(1);
  rows[ly * width + lx] = in[y * pitch + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = 0; k < width; ++k) sum += rows[ly * width + k] * (k + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lx == 0) rows[ly] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * pitch + x] = rows[get_local_size(1) - 1 - ly] + lx;
}
kernel void counted(global const int* in, global int* count, int pitch) {
  const int at = get_global_id(1) * pitch + get_global_id(0);
  atomic_add(count, in[at]);
  atomic_inc(count + 1);
}
)";

class PaddedRows : public ApiTest, public testing::WithParamInterface<std::array<std::size_t, 2>> {
 protected:
  /// Two groups along x and three along y, between columns and rows that no work-item has.
  static constexpr std::size_t kGroups[2] = {2, 3}, kMargin = 3;

  std::size_t local_x() const { return GetParam()[0]; }
  std::size_t local_y() const { return GetParam()[1]; }
  std::size_t width() const { return kGroups[0] * local_x(); }
  std::size_t height() const { return kGroups[1] * local_y(); }
  std::size_t pitch() const { return width() + kMargin; }
  std::size_t cells() const { return pitch() * (height() + 1); }
  bool has_item(std::size_t cell) const { return cell % pitch() < width() && cell / pitch() < height(); }
  Range range() const { return {.global = {width(), height()}, .local = {local_x(), local_y()}}; }

  Program program = session.build(kSource);
};

TEST_P(PaddedRows, WriteTheirOwnCellsAlone) {
  std::vector<float> in(cells());
  std::iota(in.begin(), in.end(), 1.0f);
  const Mem out = session.upload(std::vector<float>(cells(), -1));
  session.launch(session.kernel(program, "scaled"), range(), session.upload(in), out, cl_int(pitch()));
  const auto got = session.download<float>(out, cells());
  for (std::size_t i = 0; i < cells(); ++i) ASSERT_EQ(got[i], has_item(i) ? 2 * in[i] : -1) << i;
}

TEST_P(PaddedRows, OfBytesByGroups) {
  std::vector<cl_uchar> in(cells());
  std::iota(in.begin(), in.end(), cl_uchar{1});
  const Mem out = session.upload(std::vector<cl_uchar>(cells(), 7));
  session.launch(session.kernel(program, "bytes"), range(), session.upload(in), out, cl_int(pitch()));
  const auto got = session.download<cl_uchar>(out, cells());
  for (std::size_t i = 0; i < cells(); ++i) ASSERT_EQ(got[i], has_item(i) ? 255 - in[i] : 7) << i;
}

TEST_P(PaddedRows, MeetAtBarriers) {
  std::vector<cl_int> in(cells());
  for (std::size_t i = 0; i < cells(); ++i) in[i] = cl_int(i * 7919 % 1009);
  const Mem out = session.upload(std::vector<cl_int>(cells(), -1));
  session.launch(session.kernel(program, "of_group"), range(), session.upload(in), out, cl_int(pitch()),
                 LocalBytes{local_x() * local_y() * sizeof(cl_int)});
  const auto got = session.download<cl_int>(out, cells());
  for (std::size_t i = 0; i < cells(); ++i) {
    if (!has_item(i)) {
      ASSERT_EQ(got[i], -1) << i;
      continue;
    }
    const std::size_t x = i % pitch(), y = i / pitch(), lx = x % local_x(), ly = y % local_y();
    const std::size_t other = (y - ly + local_y() - 1 - ly) * pitch() + x - lx;
    cl_int sum = cl_int(lx);
    for (std::size_t k = 0; k < local_x(); ++k) sum += in[other + k] * cl_int(k + 1);
    ASSERT_EQ(got[i], sum) << i;
  }
}

TEST_P(PaddedRows, CountTheirWorkItemsAlone) {
  const Mem count = session.upload(std::vector<cl_int>(2, 0));
  session.launch(session.kernel(program, "counted"), range(), session.upload(std::vector<cl_int>(cells(), 3)), count, cl_int(pitch()));
  const auto items = cl_int(width() * height());
  EXPECT_EQ(session.download<cl_int>(count, 2), (std::vector<cl_int>{3 * items, items}));
}

INSTANTIATE_TEST_SUITE_P(Sizes, PaddedRows,
                         testing::Values(std::array<std::size_t, 2>{50, 5}, std::array<std::size_t, 2>{125, 2}, std::array<std::size_t, 2>{20, 20},
                                         std::array<std::size_t, 2>{33, 31}, std::array<std::size_t, 2>{9, 7}, std::array<std::size_t, 2>{31, 3}),
                         [](const auto& size) { return std::to_string(size.param[0]) + "x" + std::to_string(size.param[1]); });

}  // namespace
}  // namespace weft::conformance
