// Transposes: element by element, coalesced, without bank conflicts.
#include "guides/guide.h"

namespace weft::conformance {
namespace {

class Transpose : public GuideTest {
 protected:
  static std::vector<float> transposed(const std::vector<float>& in, std::size_t width, std::size_t height,
                                       std::size_t batch) {
    std::vector<float> out(in.size());
    for (std::size_t z = 0; z < batch; ++z)
      for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
          out[(z * width + x) * height + y] = in[(z * height + y) * width + x];
    return out;
  }
};

TEST_F(Transpose, PlainEveryLocalSize) {
  const Program program = build("transposes.cl", "-DTILE_DIM=16 -DPAD=0");
  const Kernel kernel = session.kernel(program, "transpose_plain");
  std::vector<std::vector<std::size_t>> ranges = {{60, 36}, {24, 20, 4}};
  if (full()) ranges.insert(ranges.end(), {{2048, 2048}, {720, 504}, {64, 32, 16}});
  for (const auto& global : ranges) {
    const std::size_t batch = global.size() > 2 ? global[2] : 1;
    const auto in = small_values(global[0] * global[1] * batch, 8);
    const auto want = transposed(in, global[0], global[1], batch);
    const Mem from = session.upload(in);
    for (const auto& local : local_sizes(global)) {
      const Mem to = session.upload(std::vector<float>(in.size(), -1.0f));
      session.launch(kernel, {global, local, {}}, from, to, cl_int(global[0]), cl_int(global[1]));
      expect_same(session.download<float>(to, want.size()), want,
                  "transpose_plain " + text(global) + " by " + text(local));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(Transpose, Tiled) {
  for (std::size_t tile = 1; tile <= 22; tile += full() ? 1 : 5) {
    for (std::size_t pad : {0, 1}) {
      const Program program =
          build("transposes.cl", "-DTILE_DIM=" + std::to_string(tile) + " -DPAD=" + std::to_string(pad));
      const Kernel kernel = session.kernel(program, "transpose_tile");
      std::vector<Sizes> problems = {{tile * 4, tile * 3, 2}};
      if (full()) problems.push_back({2048 / tile * tile, 2048 / tile * tile, 1});
      for (const Sizes& p : problems) {
        const auto in = small_values(p[0] * p[1] * p[2], 8);
        const auto want = transposed(in, p[0], p[1], p[2]);
        const Mem from = session.upload(in);
        const Mem to = session.buffer(in.size() * 4);
        session.launch(kernel, {{p[0], p[1], p[2]}, {tile, tile, 1}, {}}, from, to, cl_int(p[0]),
                       cl_int(p[1]), LocalBytes{tile * (tile + pad) * 4});
        expect_same(session.download<float>(to, want.size()), want,
                    "transpose_tile " + std::to_string(tile) + "+" + std::to_string(pad));
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace weft::conformance
