// Offset and stride copies (OpenCL Best Practices Guide §3.2.1.3, §3.2.1.4).
#include "guides/guide.h"

namespace weft::conformance {
namespace {

class Copies : public GuideTest {
 protected:
  Program program = build("copies.cl");

  /// Copies `items` elements at offset + stride * id, and checks that no other element changed.
  void expect_copied(const std::string& name, const std::vector<std::size_t>& global,
                     const std::vector<std::size_t>& local, int offset, int stride) {
    const Kernel kernel = session.kernel(program, name);
    const Range range{global, local, {}};
    const std::size_t count =
        range.items() * static_cast<std::size_t>(stride) + static_cast<std::size_t>(offset) + 1;
    const auto in = small_values(count, 7);
    std::vector<float> want(count, -50.0f);
    for (std::size_t i = 0; i < range.items(); ++i) {
      const std::size_t at = i * static_cast<std::size_t>(stride) + static_cast<std::size_t>(offset);
      want[at] = in[at];
    }
    const Mem from = session.upload(in);
    const Mem to = session.upload(std::vector<float>(count, -50.0f));
    session.launch(kernel, range, to, from, name == "offset_copy" ? offset : stride);
    expect_same(session.download<float>(to, count), want,
                name + " " + text(global) + " by " + text(local) + ", offset " + std::to_string(offset) +
                    ", stride " + std::to_string(stride));
  }
};

TEST_F(Copies, EveryOffset) {
  for (int offset = 0; offset <= 32; ++offset) {
    expect_copied("offset_copy", {4096}, {256}, offset, 1);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Copies, EveryStride) {
  for (int stride = 1; stride <= 18; ++stride) {
    expect_copied("stride_copy", {4096}, {256}, 0, stride);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Copies, EveryLocalSize) {
  // 1 to 512 in one dimension: as many whole groups as come close to the size.
  for (std::size_t local = 1; local <= 512; local += full() ? 1 : 37) {
    const std::size_t global = (full() ? 16384 : 2048) / local * local;
    expect_copied("offset_copy", {global}, {local}, 17, 1);
    expect_copied("stride_copy", {global}, {local}, 0, 3);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Copies, TwoAndThreeDimensions) {
  for (const auto& global :
       std::vector<std::vector<std::size_t>>{{120, 60}, {64, 64}, {30, 12, 10}, {16, 8, 32}}) {
    for (const auto& local : local_sizes(global)) {
      expect_copied("offset_copy", global, local, 5, 1);
      if (full()) expect_copied("stride_copy", global, local, 0, 2);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(Copies, Large) {
  const std::size_t side = full() ? 2048 : 512;
  for (std::size_t local : {32, 64, 192, 512}) {
    const std::size_t global = side * side / local * local;
    expect_copied("offset_copy", {global}, {local}, 1, 1);
    expect_copied("stride_copy", {global / 2 / local * local}, {local}, 0, 2);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace weft::conformance
