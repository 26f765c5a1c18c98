// Kernels whose x counts rows, and whose memory lies along y or z: work-items have the ids, groups, sizes and offsets that the program gave them,
// however a platform lays them out (OpenCL C 3.0 §6.15.1), in one dimension and several, with groups that do not fit the range.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

class TurnedRows : public ApiTest {
 protected:
  using Sizes = std::array<std::size_t, 3>;

  /// Launches `kernel`, whose work-items write 4 numbers each along `last`, and compares them with what they have to be.
  void expect(const Kernel& kernel, const Sizes& global, const Sizes& local, const Sizes& offset, bool z_is_last) {
    SCOPED_TRACE(std::to_string(global[0]) + 'x' + std::to_string(global[1]) + 'x' + std::to_string(global[2]) + " by " + std::to_string(local[0]) + 'x' +
                 std::to_string(local[1]) + 'x' + std::to_string(local[2]) + " from " + std::to_string(offset[0]));
    const std::size_t items = global[0] * global[1] * global[2];
    const Mem to = session.upload(std::vector<cl_int>(4 * items, -1));
    session.launch(kernel, {{global[0], global[1], global[2]}, {local[0], local[1], local[2]}, {offset[0], offset[1], offset[2]}}, to);
    const auto got = session.download<cl_int>(to, 4 * items);
    for (std::size_t x = 0; x < global[0]; ++x)
      for (std::size_t y = 0; y < global[1]; ++y)
        for (std::size_t z = 0; z < global[2]; ++z) {
          const Sizes at{x, y, z};
          const std::size_t i = z_is_last ? (x * global[1] + y) * global[2] + z : (z * global[0] + x) * global[1] + y;
          std::size_t want[4] = {};
          for (unsigned d = 0; d < 3; ++d) {
            const std::size_t group = at[d] / local[d], last = global[d] / local[d];
            want[0] = want[0] * 100 + at[d] + offset[d];
            want[1] = want[1] * 100 + at[d] % local[d];
            want[2] = want[2] * 100 + group;
            want[3] = want[3] * 40 + (group == last ? global[d] % local[d] : local[d]) + global[d] + offset[d] + (global[d] + local[d] - 1) / local[d];
          }
          for (unsigned k = 0; k < 4; ++k) ASSERT_EQ(got[k * items + i], cl_int(want[k])) << k << " of " << x << ' ' << y << ' ' << z;
        }
  }

  static std::string source(const std::string& index) {
    return "#define EACH(F) (((int)F(0) * 100 + (int)F(1)) * 100 + (int)F(2))\n"
           "int sizes(int d) { return get_local_size(d) + get_global_size(d) + get_global_offset(d) + get_num_groups(d); }\n"
           "kernel void k(global int* out) {\n"
           "  const int x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1), z = get_global_id(2) - get_global_offset(2);\n"
           "  const int w = get_global_size(0), h = get_global_size(1), d = get_global_size(2), i = " + index + ", items = w * h * d;\n"
           "  out[i] = EACH(get_global_id); out[items + i] = EACH(get_local_id); out[2 * items + i] = EACH(get_group_id);\n"
           "  out[3 * items + i] = (sizes(0) * 40 + sizes(1)) * 40 + sizes(2); }";
  }
};

TEST_F(TurnedRows, AlongZ) {
  const Kernel kernel = session.kernel(session.build(source("(x * h + y) * d + z")), "k");
  for (const Sizes& offset : {Sizes{0, 0, 0}, Sizes{3, 2, 1}}) {
    expect(kernel, {6, 4, 64}, {2, 2, 8}, offset, true);
    expect(kernel, {12, 3, 32}, {4, 1, 4}, offset, true);
    expect(kernel, {5, 7, 33}, {5, 7, 1}, offset, true);
    expect(kernel, {64, 1, 1}, {32, 1, 1}, offset, true);
    expect(kernel, {40, 2, 3}, {8, 2, 3}, offset, true);
  }
}

TEST_F(TurnedRows, AlongY) {
  const Kernel kernel = session.kernel(session.build(source("(z * w + x) * h + y")), "k");
  for (const Sizes& offset : {Sizes{0, 0, 0}, Sizes{3, 2, 1}}) {
    expect(kernel, {8, 64, 2}, {4, 8, 1}, offset, false);
    expect(kernel, {33, 35, 1}, {3, 5, 1}, offset, false);
    expect(kernel, {64, 1, 1}, {16, 1, 1}, offset, false);
    expect(kernel, {2, 96, 1}, {2, 32, 1}, offset, false);
  }
}

TEST_F(TurnedRows, GroupsThatDoNotFit) {
  if (!device_value<cl_bool>(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT)) GTEST_SKIP() << "groups are uniform";
  const Kernel kernel = session.kernel(session.build(source("(x * h + y) * d + z"), "-cl-std=CL2.0"), "k");
  expect(kernel, {7, 5, 50}, {2, 3, 8}, {0, 0, 0}, true);
  expect(kernel, {7, 5, 50}, {2, 3, 8}, {1, 2, 3}, true);
  expect(kernel, {45, 3, 70}, {32, 2, 4}, {0, 5, 0}, true);
}

}  // namespace
}  // namespace weft::conformance
