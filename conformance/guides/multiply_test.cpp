// The matrix multiplications of the guides.
#include "guides/guide.h"

namespace weft::conformance {
namespace {

/// a (m x k) times b (k x n), row by row.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, std::size_t m,
                           std::size_t k, std::size_t n) {
  std::vector<float> c(m * n, 0.0f);
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t col = 0; col < n; ++col) c[row * n + col] += a[row * k + i] * b[i * n + col];
  return c;
}

std::vector<float> transposed(const std::vector<float>& a, std::size_t m, std::size_t k) {
  std::vector<float> t(a.size());
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t i = 0; i < k; ++i) t[i * m + row] = a[row * k + i];
  return t;
}

class Multiply : public GuideTest {
 protected:
  static std::string tile_option(std::size_t tile, std::size_t pad = 0) {
    return "-DTILE_DIM=" + std::to_string(tile) + " -DPAD=" + std::to_string(pad);
  }
  /// Sides of C, as multiples of the tile.
  static std::vector<Sizes> sides(std::size_t tile) {
    std::vector<Sizes> all = {{tile * 3, tile * 5, 1}};
    if (full())
      all.insert(all.end(), {{tile, tile, 1},
                             {512 / tile * tile, 256 / tile * tile, 1},
                             {2048 / tile * tile, 2048 / tile * tile, 1}});
    return all;
  }
  /// Tiles whose groups have at most 512 work-items.
  static std::vector<std::size_t> tiles() {
    if (full()) return {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
    return {1, 3, 8, 16, 22};
  }
};

TEST_F(Multiply, AbPlainEveryLocalSize) {
  const Program program = build("multiply_ab.cl", tile_option(16));
  const Kernel kernel = session.kernel(program, "ab_plain");
  std::vector<std::vector<std::size_t>> ranges = {{48, 80}, {24, 20, 3}};
  if (full()) ranges.insert(ranges.end(), {{2048, 2048}, {240, 360}, {64, 32, 8}});
  for (const auto& global : ranges) {
    const std::size_t n = global[0];
    const std::size_t m = global[1];
    const std::size_t batch = global.size() > 2 ? global[2] : 1;
    const auto a = small_values(batch * m * 16, 1);
    const auto b = small_values(batch * 16 * n, 2);
    std::vector<float> want;
    for (std::size_t z = 0; z < batch; ++z) {
      const auto c = product({a.begin() + z * m * 16, a.begin() + (z + 1) * m * 16},
                             {b.begin() + z * 16 * n, b.begin() + (z + 1) * 16 * n}, m, 16, n);
      want.insert(want.end(), c.begin(), c.end());
    }
    const Mem da = session.upload(a);
    const Mem db = session.upload(b);
    for (const auto& local : local_sizes(global)) {
      const Mem dc = session.upload(std::vector<float>(want.size(), -1.0f));
      session.launch(kernel, {global, local, {}}, da, db, dc, cl_int(m), cl_int(n));
      expect_same(session.download<float>(dc, want.size()), want,
                  "ab_plain " + text(global) + " by " + text(local));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(Multiply, AbTiled) {
  for (std::size_t tile : tiles()) {
    const Program program = build("multiply_ab.cl", tile_option(tile));
    for (const Sizes& side : sides(tile)) {
      const std::size_t n = side[0];
      const std::size_t m = side[1];
      const auto a = small_values(m * tile, 1);
      const auto b = small_values(tile * n, 2);
      const auto want = product(a, b, m, tile, n);
      const Mem da = session.upload(a);
      const Mem db = session.upload(b);
      const Range range{{n, m}, {tile, tile}, {}};
      const std::size_t bytes = tile * tile * 4;
      const Mem both = session.buffer(want.size() * 4);
      session.launch(session.kernel(program, "ab_local_both"), range, da, db, both, cl_int(n),
                     LocalBytes{bytes}, LocalBytes{bytes});
      expect_same(session.download<float>(both, want.size()), want,
                  "ab_local_both " + text(range.global) + ", tile " + std::to_string(tile));
      // Without a barrier the row of a tile must lie in one warp: a promise of Weft alone.
      if (testing_weft() && 32 % tile == 0) {
        const Mem only_a = session.buffer(want.size() * 4);
        session.launch(session.kernel(program, "ab_local_a"), range, da, db, only_a, cl_int(n),
                       LocalBytes{bytes});
        expect_same(session.download<float>(only_a, want.size()), want,
                    "ab_local_a " + text(range.global) + ", tile " + std::to_string(tile));
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(Multiply, AatPlainEveryLocalSize) {
  const Program program = build("multiply_aat.cl", tile_option(16));
  const Kernel kernel = session.kernel(program, "aat_plain");
  std::vector<std::vector<std::size_t>> ranges = {{48, 48}, {20, 20, 2}};
  if (full()) ranges.insert(ranges.end(), {{2048, 2048}, {360, 360}, {32, 32, 8}});
  for (const auto& global : ranges) {
    const std::size_t m = global[0];
    const std::size_t batch = global.size() > 2 ? global[2] : 1;
    const auto a = small_values(batch * m * 16, 3);
    std::vector<float> want;
    for (std::size_t z = 0; z < batch; ++z) {
      const std::vector<float> part(a.begin() + z * m * 16, a.begin() + (z + 1) * m * 16);
      const auto c = product(part, transposed(part, m, 16), m, 16, m);
      want.insert(want.end(), c.begin(), c.end());
    }
    const Mem da = session.upload(a);
    for (const auto& local : local_sizes(global)) {
      const Mem dc = session.upload(std::vector<float>(want.size(), -1.0f));
      session.launch(kernel, {global, local, {}}, da, dc, cl_int(m));
      expect_same(session.download<float>(dc, want.size()), want,
                  "aat_plain " + text(global) + " by " + text(local));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(Multiply, AatTiled) {
  for (std::size_t tile : tiles()) {
    for (std::size_t pad : {0, 1}) {
      const Program program = build("multiply_aat.cl", tile_option(tile, pad));
      const Kernel kernel = session.kernel(program, "aat_tiled");
      for (const Sizes& side : sides(tile)) {
        const std::size_t m = side[0];
        const auto a = small_values(m * tile, 3);
        const auto want = product(a, transposed(a, m, tile), m, tile, m);
        const Mem da = session.upload(a);
        const Mem dc = session.buffer(want.size() * 4);
        session.launch(kernel, {{m, m}, {tile, tile}, {}}, da, dc, cl_int(m), LocalBytes{tile * tile * 4},
                       LocalBytes{tile * (tile + pad) * 4});
        expect_same(
            session.download<float>(dc, want.size()), want,
            "aat_tiled " + std::to_string(m) + ", tile " + std::to_string(tile) + "+" + std::to_string(pad));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(Multiply, SquareWithStructs) {
  std::vector<Sizes> problems = {{48, 32, 64}};  // m, k, n
  if (full()) problems.insert(problems.end(), {{256, 512, 128}, {1024, 1024, 1024}});
  const Program program = build("multiply_square.cl", "-DBLOCK=16");
  const Kernel plain = session.kernel(program, "square_plain");
  const Kernel blocks = session.kernel(program, "square_blocks");
  for (const Sizes& p : problems) {
    const auto a = small_values(p[0] * p[1], 4);
    const auto b = small_values(p[1] * p[2], 5);
    const auto want = product(a, b, p[0], p[1], p[2]);
    const Mem da = session.upload(a);
    const Mem db = session.upload(b);
    const Mem dc = session.buffer(want.size() * 4);
    const cl_int m = cl_int(p[0]);
    const cl_int k = cl_int(p[1]);
    const cl_int n = cl_int(p[2]);
    for (const auto& local : std::vector<std::vector<std::size_t>>{{16, 16}, {32, 8}, {8, 2}, {64, 1}}) {
      session.launch(plain, {{p[2], p[0]}, local, {}}, k, m, da, n, k, db, dc);
      expect_same(session.download<float>(dc, want.size()), want, "square_plain by " + text(local));
      if (HasFatalFailure()) return;
    }
    const Mem dd = session.buffer(want.size() * 4);
    session.launch(blocks, {{p[2], p[0]}, {16, 16}, {}}, k, m, da, n, k, db, dd, LocalBytes{1024},
                   LocalBytes{1024});
    expect_same(session.download<float>(dd, want.size()), want, "square_blocks");
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace weft::conformance
