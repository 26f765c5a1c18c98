// Tiles in local memory that are copies of global memory, and such that only look like it (compiler/simt/item/copied_tiles.h): what is read is what
// was copied, whatever becomes of its origin.
#include <functional>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

/// W, H: the local size; a margin of one around.
constexpr const char* kSource = R"(
#define PLACE const int x = get_local_id(0), y = get_local_id(1), at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
#define RIM \
  t[y + 1][x + 1] = in[at]; \
  if (x == 0) t[y + 1][0] = in[at - 1]; \
  if (x == W - 1) t[y + 1][W + 1] = in[at + 1]; \
  if (y == 0) t[0][x + 1] = in[at - pitch]; \
  if (y == H - 1) t[H + 1][x + 1] = in[at + pitch];
#define SUM (2 * t[y + 1][x] + 3 * t[y + 1][x + 2] + 5 * t[y][x + 1] + 7 * t[y + 2][x + 1] + 11 * t[y + 1][x + 1])
kernel void grid(global const int* in, global int* out, int pitch) {
  local int t[H + 2][W + 2];
  PLACE RIM
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = SUM;
}
// By size_t, which is not cut; the pointer has moved.
kernel void long_grid(global const int* in, global int* out, int pitch) {
  local int t[H + 2][W + 2];
  const size_t x = get_local_id(0), y = get_local_id(1), at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  in += 1 - 1 * pitch / pitch;
  RIM
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = SUM;
}
// What is written in between is not read: the tile has the old numbers, if the buffers are one.
kernel void early(global int* in, global int* out, int pitch) {
  local int t[H + 2][W + 2];
  PLACE RIM
  out[at] = 0;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[at] = SUM;
}
// The rim belongs to other groups, which do not write here.
kernel void inner(global int* in, global int* out, int pitch) {
  local int t[H][W];
  PLACE
  t[y][x] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = 2 * t[y][W - 1 - x] + 3 * t[H - 1 - y][x] + 5 * t[y][max(x - 1, 0)];
}
// Some cells of the rim are none's.
kernel void holes(global const int* in, global int* out, int pitch) {
  local int t[H + 2][W + 2];
  PLACE
  if (y == 0) t[0][x + 1] = -1;
  t[y + 1][x + 1] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = 5 * t[y][x + 1] + 11 * t[y + 1][x + 1];
}
// Written anew.
kernel void twice(global const int* in, global int* out, int pitch) {
  local int t[H][W];
  PLACE
  t[y][x] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = t[H - 1 - y][x];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[y][x] = in[at - pitch];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = 2 * other + 3 * t[H - 1 - y][x];
}
// The cells that the numbers in memory choose.
kernel void chosen(global const int* in, global int* out, int pitch) {
  local int t[H][W], u[H][W];
  PLACE
  u[y][x] = in[at];
  if (in[at] & 1) t[y][x] = in[at];
  else t[y][x] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = 2 * t[y][x] + 3 * u[y][x];
}
// A place of its own in local memory, by a pointer of the program's.
kernel void passed(global const int* in, global int* out, int pitch, local int* t) {
  PLACE
  t[y * (W + 2) + x + 1] = in[at];
  if (x < 2) t[y * (W + 2) + x * (W + 1)] = in[at - 1 + x * (W + 1) - x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = 2 * t[y * (W + 2) + x] + 3 * t[y * (W + 2) + x + 2];
}
)";

class CopiedTiles : public ApiTest, public testing::WithParamInterface<std::array<std::size_t, 2>> {
 protected:
  using Read = std::function<cl_int(std::ptrdiff_t x, std::ptrdiff_t y)>;  ///< of the grid, at distances
  using Host = std::function<cl_int(const Read& read, std::ptrdiff_t lx, std::ptrdiff_t ly)>;
  /// Few, and so many that groups whose tiles have gone run several as one, where a row of the launch has whole blocks of them.
  static constexpr std::size_t kGroups[][2] = {{5, 3}, {8, 40}, {9, 40}};

  std::ptrdiff_t w() const { return static_cast<std::ptrdiff_t>(GetParam()[0]); }
  std::ptrdiff_t h() const { return static_cast<std::ptrdiff_t>(GetParam()[1]); }

  /// `in_place`: one buffer is both.
  void check(const char* name, const Host& host, bool in_place = false) {
    const Program program = session.build(kSource, "-DW=" + std::to_string(w()) + " -DH=" + std::to_string(h()));
    const Kernel kernel = session.kernel(program, name);
    for (const auto& [columns, rows] : kGroups) check(kernel, name, host, in_place, columns * GetParam()[0], rows * GetParam()[1]);
  }

  void check(const Kernel& kernel, const char* name, const Host& host, bool in_place, std::size_t width, std::size_t height) {
    const std::size_t pitch = width + 2;
    std::vector<cl_int> in(pitch * (height + 2));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<cl_int>(i * 7919 % 10007);
    const Mem from = session.upload(in);
    const Mem other = session.upload(std::vector<cl_int>(in.size(), -1));
    const Mem& to = in_place ? from : other;
    const Range range{.global = {width, height}, .local = {GetParam()[0], GetParam()[1]}};
    if (name == std::string("passed"))
      session.launch(kernel, range, from, to, cl_int(pitch), LocalBytes{(GetParam()[0] + 2) * GetParam()[1] * sizeof(cl_int)});
    else session.launch(kernel, range, from, to, cl_int(pitch));
    const auto got = session.download<cl_int>(to, in.size());
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x) {
        const std::size_t at = (y + 1) * pitch + x + 1;
        const Read read = [&](std::ptrdiff_t dx, std::ptrdiff_t dy) { return in[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + dy * static_cast<std::ptrdiff_t>(pitch) + dx)]; };
        ASSERT_EQ(got[at], host(read, static_cast<std::ptrdiff_t>(x) % w(), static_cast<std::ptrdiff_t>(y) % h())) << name << ' ' << x << ',' << y;
      }
  }

  static cl_int sum(const Read& read, std::ptrdiff_t, std::ptrdiff_t) {
    return 2 * read(-1, 0) + 3 * read(1, 0) + 5 * read(0, -1) + 7 * read(0, 1) + 11 * read(0, 0);
  }
  Host mirrored() const {
    return [this](const Read& read, std::ptrdiff_t x, std::ptrdiff_t y) {
      return 2 * read(w() - 1 - 2 * x, 0) + 3 * read(0, h() - 1 - 2 * y) + 5 * read(x ? -1 : 0, 0);
    };
  }
};

TEST_P(CopiedTiles, WithRims) {
  check("grid", sum);
  check("long_grid", sum);
}

TEST_P(CopiedTiles, OfWhatIsWrittenMeanwhile) { check("early", sum); }

TEST_P(CopiedTiles, OfItsOwnBuffer) {
  check("inner", mirrored());
  check("inner", mirrored(), /*in_place=*/true);
}

TEST_P(CopiedTiles, WithOtherNumbers) {
  check("holes", [](const Read& read, std::ptrdiff_t, std::ptrdiff_t y) { return 5 * (y ? read(0, -1) : -1) + 11 * read(0, 0); });
  check("chosen", [](const Read& read, std::ptrdiff_t, std::ptrdiff_t) { return 2 * (read(0, 0) & 1 ? read(0, 0) : 0) + 3 * read(0, 0); });
}

TEST_P(CopiedTiles, OneAfterTheOther) {
  check("twice", [this](const Read& read, std::ptrdiff_t, std::ptrdiff_t y) {
    return 2 * read(0, h() - 1 - 2 * y) + 3 * read(0, h() - 2 - 2 * y);
  });
}

TEST_P(CopiedTiles, InMemoryOfTheLaunch) {
  check("passed", [](const Read& read, std::ptrdiff_t, std::ptrdiff_t) { return 2 * read(-1, 0) + 3 * read(1, 0); });
}

INSTANTIATE_TEST_SUITE_P(LocalSizes, CopiedTiles,
                         testing::Values(std::array<std::size_t, 2>{16, 16}, std::array<std::size_t, 2>{32, 8}, std::array<std::size_t, 2>{8, 8},
                                         std::array<std::size_t, 2>{64, 1}, std::array<std::size_t, 2>{7, 5}, std::array<std::size_t, 2>{4, 2}));

}  // namespace
}  // namespace weft::conformance
