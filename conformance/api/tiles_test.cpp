// Groups that share what they read with their neighbours, as those of a matrix product do. An implementation may run several of
// them by turns; each must still have its own place, its own local memory and its own end.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
#define TILE 16
// c = a * b of ints: a has n columns.
kernel void product(global const int* a, global const int* b, global int* c, int n) {
  local int ta[TILE][TILE], tb[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int col = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
  const int width = get_global_size(0);
  int sum = 0;
  for (int t = 0; t < n; t += TILE) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * width + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) sum += ta[y][i] * tb[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const int gx = get_global_id(0) - get_global_offset(0), gy = get_global_id(1) - get_global_offset(1);
  c[gy * width + gx] = sum + get_num_groups(1);
}

// Every third row of groups ends sooner, every fifth has nothing to do; the sum of the rounds is kept in local memory.
kernel void uneven(global const int* a, global const int* b, global int* c, int n, local int* ta, local int* tb, local int* kept) {
  const int x = get_local_id(0), y = get_local_id(1), at = y * TILE + x;
  const int col = get_global_id(0), row = get_global_id(1), width = get_global_size(0);
  const int group = get_group_id(1);
  const int end = group % 5 == 4 ? 0 : group % 3 == 2 ? n / 2 : n;
  kept[at] = group * 1000 + at;
  for (int t = 0; t < end; t += TILE) {
    ta[at] = a[row * n + t + x];
    tb[at] = b[(t + y) * width + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < TILE; ++i) sum += ta[y * TILE + i] * tb[i * TILE + x];
    kept[at] += sum;
    if (t == 3 * TILE && group % 2 == 1) break;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  c[row * width + col] = kept[TILE * TILE - 1 - at];
}

// 64 x 64 sums of a group, 4 x 8 of each work-item; `a` is kept as halves.
kernel void blocked(global const float* a, global const float* b, global float* c, int n) {
  local ushort kept[64 * 16];  // halves, also for devices without cl_khr_fp16
  local half* ta = (local half*)kept;
  local float tb[64 * 16];
  const int id = get_local_id(0), row = id % 16, column = id / 16;
  float sums[32], mine[4], theirs[8];
  for (int i = 0; i < 32; ++i) sums[i] = 0;
  for (int block = 0; block < n; block += 16) {
    for (int i = id; i < 1024; i += get_local_size(0)) {
      vstore_half(a[block * 64 + i], i, ta);
      tb[i] = b[block * 64 + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) {
      for (int i = 0; i < 4; ++i) mine[i] = vload_half(k * 64 + row * 4 + i, ta);
      for (int i = 0; i < 8; ++i) theirs[i] = tb[k * 64 + column * 8 + i];
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 4; ++x) sums[y * 4 + x] = mad(mine[x], theirs[y], sums[y * 4 + x]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 4; ++x) c[(column * 8 + y) * 64 + row * 4 + x] = sums[y * 4 + x];
}
)";

class Tiles : public ApiTest {
 protected:
  static constexpr int kTile = 16;

  static std::vector<cl_int> numbers(std::size_t count, std::uint32_t seed) {
    std::vector<cl_int> values(count);
    for (cl_int& value : values) {
      seed = seed * 1664525u + 1013904223u;
      value = static_cast<cl_int>(seed >> 24) - 100;
    }
    return values;
  }

  void multiply(int columns, int rows, int n, std::vector<std::size_t> offset = {}) {
    const int width = columns * kTile, height = rows * kTile;
    const auto a = numbers(std::size_t(height) * n + 1, 1), b = numbers(std::size_t(n) * width + 1, 2);
    const Mem ma = session.upload(a), mb = session.upload(b);
    const Mem mc = session.upload(std::vector<cl_int>(std::size_t(width) * height, 0x5a5a5a5a));
    session.launch(session.kernel(program, "product"), {{std::size_t(width), std::size_t(height)}, {kTile, kTile}, offset}, ma, mb,
                   mc, cl_int(n));
    const auto c = session.download<cl_int>(mc, std::size_t(width) * height);
    for (int row = 0; row < height; ++row)
      for (int col = 0; col < width; ++col) {
        cl_int sum = rows;
        for (int i = 0; i < n; ++i) sum += a[std::size_t(row) * n + i] * b[std::size_t(i) * width + col];
        ASSERT_EQ(c[std::size_t(row) * width + col], sum)
            << row << ',' << col << " of " << rows << 'x' << columns << " groups, " << n;
      }
  }

  Program program = session.build(kSource);
};

TEST_F(Tiles, ProductsOfManyShapes) {
  multiply(1, 1, 16);
  multiply(8, 8, 1024);
  multiply(16, 9, 272);
  multiply(9, 23, 528);
  multiply(40, 1, 320);
  multiply(5, 23, 0);
}

TEST_F(Tiles, ProductWithAnOffset) { multiply(16, 10, 640, {5, 7}); }

TEST_F(Tiles, GroupsThatEndApart) {
  const int columns = 8, rows = 19, n = 1024;
  const int width = columns * kTile, height = rows * kTile;
  const auto a = numbers(std::size_t(height) * n, 3), b = numbers(std::size_t(n) * width, 4);
  const Mem ma = session.upload(a), mb = session.upload(b);
  const Mem mc = session.upload(std::vector<cl_int>(std::size_t(width) * height, 0x5a5a5a5a));
  const LocalBytes tile{kTile * kTile * sizeof(cl_int)};
  session.launch(session.kernel(program, "uneven"), {{std::size_t(width), std::size_t(height)}, {kTile, kTile}}, ma, mb, mc,
                 cl_int(n), tile, tile, tile);
  const auto c = session.download<cl_int>(mc, std::size_t(width) * height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      const int group = row / kTile;
      int end = group % 5 == 4 ? 0 : group % 3 == 2 ? n / 2 : n;
      if (group % 2 == 1) end = std::min(end, 4 * kTile);
      cl_int sum = group * 1000 + row % kTile * kTile + col % kTile;
      for (int i = 0; i < end; ++i) sum += a[std::size_t(row) * n + i] * b[std::size_t(i) * width + col];
      // The opposite work-item of the group writes it.
      const int to_row = group * kTile + kTile - 1 - row % kTile, to_col = col / kTile * kTile + kTile - 1 - col % kTile;
      ASSERT_EQ(c[std::size_t(to_row) * width + to_col], sum) << row << ',' << col;
    }
}

TEST_F(Tiles, BlocksOfHalves) {
  const int n = 96, edge = 64;
  const auto whole_a = numbers(std::size_t(n) * edge, 5), whole_b = numbers(std::size_t(n) * edge, 6);
  const std::vector<float> a(whole_a.begin(), whole_a.end()), b(whole_b.begin(), whole_b.end());
  const Mem ma = session.upload(a), mb = session.upload(b), mc = session.upload(std::vector<float>(edge * edge));
  session.launch(session.kernel(program, "blocked"), {{128}, {128}}, ma, mb, mc, cl_int(n));
  const auto c = session.download<float>(mc, edge * edge);
  for (int y = 0; y < edge; ++y)
    for (int x = 0; x < edge; ++x) {
      int sum = 0;
      for (int k = 0; k < n; ++k) sum += whole_a[std::size_t(k) * edge + x] * whole_b[std::size_t(k) * edge + y];
      ASSERT_EQ(c[std::size_t(y) * edge + x], static_cast<float>(sum)) << y << ',' << x;
    }
}

}  // namespace
}  // namespace weft::conformance
