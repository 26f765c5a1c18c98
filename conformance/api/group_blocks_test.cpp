// Two-dimensional launches in groups of many shapes, which an implementation may run together and in any order, over sizes that change from launch
// to launch; and programs whose groups wait for those before them.
#include <chrono>
#include <cmath>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

using Words = std::vector<cl_uint>;

class GroupBlocks : public ApiTest {
 protected:
  /// Runs `k(global const uint* in, global uint* out, int pitch, int height)` of `source` for groups of many shapes. want(in, x, y, pitch, height,
  /// local) is what work-item (x, y) writes to row y; 0: nothing.
  template <typename Want>
  void expect(const std::string& source, Want want) {
    constexpr std::size_t kMost = 640 * 96;
    const Program program = session.build(source);
    const Kernel kernel = session.kernel(program, "k");
    Words in(kMost);
    for (std::size_t i = 0; i < kMost; ++i) in[i] = cl_uint(i * 2654435761u >> 5) | 1;
    const Mem from = session.upload(in);
    using Size = std::vector<std::size_t>;
    for (const Size& local : {Size{16, 16}, Size{8, 8}, Size{4, 32}, Size{32, 8}, Size{16, 1}, Size{1, 32}, Size{20, 4}, Size{64, 2}}) {
      for (const std::size_t across : {32, 1, 31, 20, 32, 8}) {
        const std::size_t width = std::min<std::size_t>(across * local[0], 640 / local[0] * local[0]), height = 96;
        const Mem to = session.upload(Words(kMost));
        session.launch(kernel, {{width, height}, local}, from, to, cl_int(width), cl_int(height));
        const Words got = session.download<cl_uint>(to, kMost);
        for (std::size_t y = 0; y < height; ++y)
          for (std::size_t x = 0; x < width; ++x)
            ASSERT_EQ(got[y * width + x], want(in, int(x), int(y), int(width), int(height), local))
                << "work-item (" << x << ", " << y << ") of " << width << " x " << height << " in groups of " << local[0] << " x " << local[1];
      }
    }
  }
};

constexpr char kHead[] =
    "kernel void k(global const uint* in, global uint* out, int pitch, int height) { const int x = get_global_id(0), y = get_global_id(1); ";

TEST_F(GroupBlocks, RowsOfAStream) {
  expect(std::string(kHead) + "if (x > 0 && y > 0 && x < pitch - 1 && y < height - 1) { const int i = y * pitch + x;"
                              "out[i] = in[i - 1] + 3 * in[i + 1] + 5 * in[i - pitch] + 7 * in[i + pitch]; } }",
         [](const Words& in, int x, int y, int pitch, int height, auto&) -> cl_uint {
           if (x == 0 || y == 0 || x == pitch - 1 || y == height - 1) return 0;
           const cl_uint* at = &in[std::size_t(y * pitch + x)];
           return at[-1] + 3 * at[1] + 5 * at[-pitch] + 7 * at[pitch];
         });
}

TEST_F(GroupBlocks, WhereAWorkItemIs) {
  expect(std::string(kHead) +
             "const int i = (get_group_id(1) * get_local_size(1) + get_local_id(1)) * pitch + get_group_id(0) * get_local_size(0) + get_local_id(0);"
             "out[i] = in[i] + get_local_id(0) + 100 * get_local_id(1) + 10000 * get_group_id(0) + 1000000 * get_group_id(1) + get_num_groups(0); }",
         [](const Words& in, int x, int y, int pitch, int, const std::vector<std::size_t>& local) {
           const int w = int(local[0]), h = int(local[1]);
           return in[std::size_t(y * pitch + x)] + cl_uint(x % w + 100 * (y % h) + 10000 * (x / w) + 1000000 * (y / h) + pitch / w);
         });
}

TEST_F(GroupBlocks, LoopsOverARow) {
  expect(std::string(kHead) + "uint s = 0; for (int j = 0; j < (x + y) % 7 + 1; ++j) s = s * 3 + in[y * pitch + (x + j) % pitch];"
                              "out[y * pitch + x] = s; }",
         [](const Words& in, int x, int y, int pitch, int, auto&) {
           cl_uint s = 0;
           for (int j = 0; j < (x + y) % 7 + 1; ++j) s = s * 3 + in[std::size_t(y * pitch + (x + j) % pitch)];
           return s;
         });
}

// Work-items of a private array in memory, three dimensions, an offset, and a bound that ends rows within a group: what one group leaves must not
// reach the next, which may run in the same call.
TEST_F(GroupBlocks, OffsetsAndBounds) {
  constexpr std::size_t kWidth = 700, kHeight = 12, kDepth = 3;
  const Program program = session.build(
      "kernel void k(global const uint* in, global uint* out, int width, int which) {"
      "  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2); if (x >= width) return;"
      "  uint t[6]; const int i = (z * 12 + y) * 700 + x; t[which] = in[i]; t[(which + 1) % 6] = get_group_id(0); t[(which + 2) % 6] = y * 31 + z;"
      "  out[i] = t[which] + 1000 * t[(which + 1) % 6] + 100000 * t[(which + 2) % 6]; }");
  const Kernel kernel = session.kernel(program, "k");
  Words in(kWidth * kHeight * kDepth);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = cl_uint(i * 2654435761u >> 9);
  const Mem from = session.upload(in);
  using Size = std::vector<std::size_t>;
  for (const Size& local : {Size{32, 4, 1}, Size{64, 2, 2}, Size{16, 4, 2}, Size{8, 8, 1}, Size{128, 1, 1}}) {
    for (const std::size_t width : {633u, 64u, 1u}) {
      const std::size_t across = (width + local[0] - 1) / local[0] * local[0], offset[] = {32, 4, 1};
      const Mem to = session.upload(Words(in.size(), 7));
      const Size global = {across, 8, 2};
      session.launch(kernel, {global, local, {offset[0], offset[1], offset[2]}}, from, to, cl_int(offset[0] + width), cl_int(width % 6));
      const Words got = session.download<cl_uint>(to, in.size());
      for (std::size_t z = 0; z < kDepth; ++z)
        for (std::size_t y = 0; y < kHeight; ++y)
          for (std::size_t x = 0; x < kWidth; ++x) {
            const std::size_t i = (z * kHeight + y) * kWidth + x;
            const bool is_in = z >= offset[2] && y >= offset[1] && x >= offset[0] && x < offset[0] + width;
            const auto group = cl_uint((x - offset[0]) / local[0]);
            ASSERT_EQ(got[i], is_in ? in[i] + 1000 * group + 100000 * cl_uint(y * 31 + z) : 7u)
                << "work-item (" << x << ", " << y << ", " << z << ") of " << width << " in groups of " << local[0] << " x " << local[1];
          }
    }
  }
}

// Indices that clamp, min and max bound, at all edges.
TEST_F(GroupBlocks, BoundedIndices) {
  expect(std::string(kHead) + "uint s = 0;"
                              "for (int dy = -2; dy <= 2; ++dy) for (int dx = -2; dx <= 2; ++dx)"
                              "  s = s * 5 + in[clamp(y + dy, 0, height - 1) * pitch + min(max(x + dx, 0), pitch - 1)];"
                              "out[y * pitch + x] = s; }",
         [](const Words& in, int x, int y, int pitch, int height, auto&) {
           cl_uint s = 0;
           for (int dy = -2; dy <= 2; ++dy)
             for (int dx = -2; dx <= 2; ++dx)
               s = s * 5 + in[std::size_t(std::clamp(y + dy, 0, height - 1) * pitch + std::min(std::max(x + dx, 0), pitch - 1))];
           return s;
         });
}

// A bound far from the edges, one that depends on the work-item, and lower ones above zero.
TEST_F(GroupBlocks, OtherBounds) {
  expect(std::string(kHead) + "out[y * pitch + x] = in[min(y, 50) * pitch + clamp(x + 1, 3, max(pitch - 2, 3))] +"
                              "in[y * pitch + min(x * 2, pitch - 1)] + in[min(x, y)] + in[max(x, 7) - 7]; }",
         [](const Words& in, int x, int y, int pitch, int, auto&) {
           return in[std::size_t(std::min(y, 50) * pitch + std::clamp(x + 1, 3, std::max(pitch - 2, 3)))] +
                  in[std::size_t(y * pitch + std::min(x * 2, pitch - 1))] + in[std::size_t(std::min(x, y))] +
                  in[std::size_t(std::max(x, 7) - 7)];
         });
}

// Conversions that saturate, of vectors.
TEST_F(GroupBlocks, SaturatedVectors) {
  expect("kernel void k(global const uchar4* in, global uchar4* out, int pitch, int height) { const int i = get_global_id(1) * pitch + get_global_id(0);"
         "out[i] = convert_uchar4_sat_rte(convert_float4(in[i]) * 1.5f - (float4)(50, 0, 10.5f, 300)); }",
         [](const Words& in, int x, int y, int pitch, int, auto&) {
           const float less[] = {50, 0, 10.5f, 300};
           cl_uint result = 0;
           for (unsigned c = 0; c < 4; ++c) {
             const float value = float(in[std::size_t(y * pitch + x)] >> 8 * c & 255) * 1.5f - less[c];
             result |= cl_uint(std::nearbyint(std::clamp(value, 0.0f, 255.0f))) << 8 * c;
           }
           return result;
         });
}

// Rows of numbers of groups that no power of two divides, launched until an implementation has the code that it thinks best: each work-item runs once, in its
// own group, and none beyond.
TEST_F(GroupBlocks, RowsThatAreNoWholeBlocks) {
  const Program program = session.build(
      "kernel void k(global uint* out, int pitch) { const int i = get_global_id(1) * pitch + get_global_id(0);"
      "  out[i] += 1 + 100 * (uint)(get_group_id(0) + 3 * get_local_id(0) + 5 * get_num_groups(0)) + 1000000 * (uint)get_group_id(1); }");
  const Kernel kernel = session.kernel(program, "k");
  struct Shape {
    std::size_t local_x, groups_x, local_y, groups_y;
  };
  for (const Shape& shape : {Shape{32, 1001, 1, 1}, Shape{64, 515, 1, 1}, Shape{32, 7, 1, 90}, Shape{16, 51, 16, 5}, Shape{96, 131, 1, 2}}) {
    const std::size_t width = shape.local_x * shape.groups_x, height = shape.local_y * shape.groups_y, all = width * height;
    const Mem to = session.upload(Words(all + 4096));
    const auto start = std::chrono::steady_clock::now();
    cl_uint launches = 0;
    for (; launches < 12 || std::chrono::steady_clock::now() - start < std::chrono::milliseconds(250); ++launches)
      session.launch(kernel, {{width, height}, {shape.local_x, shape.local_y}}, to, cl_int(width));
    const Words got = session.download<cl_uint>(to, all + 4096);
    for (std::size_t i = 0; i < all + 4096; ++i) {
      const std::size_t x = i % width, y = i / width;
      const auto once = cl_uint(1 + 100 * (x / shape.local_x + 3 * (x % shape.local_x) + 5 * shape.groups_x) + 1000000 * (y / shape.local_y));
      ASSERT_EQ(got[i], i < all ? launches * once : 0u) << "work-item " << i << ", groups of " << shape.local_x << ", " << shape.groups_x << " a row";
    }
  }
}

// Each group waits for the sum of those before it, as scans that look back do: no promise of OpenCL's (3.0 API §3.2.2), but groups that begin in
// order keep it, whatever earlier launches have taught of how long they take. Not for platforms that start groups otherwise.
TEST_F(GroupBlocks, GroupsThatWaitForLowerOnes) {
  WEFT_ONLY("groups begin in order");
  constexpr std::size_t kGroups = 4096, kLocal = 64;
  const Program program = session.build(
      "kernel void k(global const uint* in, global uint* out, global volatile uint* sums) { const uint group = get_group_id(0);"
      "  local uint before; const uint own = work_group_reduce_add(in[get_global_id(0)]);"
      "  if (get_local_id(0) == 0) {"
      "    uint sum = 1;"
      "    if (group > 0) while ((sum = atomic_or(&sums[group - 1], 0)) == 0) ;"
      "    atomic_xchg(&sums[group], sum + own); before = sum - 1; }"
      "  barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = before; }",
      "-cl-std=CL2.0");
  const Kernel kernel = session.kernel(program, "k");
  Words in(kGroups * kLocal);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = cl_uint(i % 7);
  const Mem from = session.upload(in), to = session.upload(Words(in.size()));
  for (int round = 0; round < 20; ++round) {
    const Mem sums = session.upload(Words(kGroups));
    session.launch(kernel, {{in.size()}, {kLocal}}, from, to, sums);
    const Words got = session.download<cl_uint>(to, in.size());
    cl_uint sum = 0;
    for (std::size_t group = 0; group < kGroups; ++group) {
      ASSERT_EQ(got[group * kLocal + 5], sum) << "group " << group << " of round " << round;
      for (std::size_t i = 0; i < kLocal; ++i) sum += in[group * kLocal + i];
    }
  }
}

}  // namespace
}  // namespace weft::conformance
