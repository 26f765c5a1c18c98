// Loops over chunks of the work-items' own, as programs write for processors: each has its own, the last ones a shorter one or none.
// However a platform runs the work-items, side by side or one after the other, the numbers are the same.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
#define CHUNK const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n)
kernel void added(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int i = begin; i < end; ++i) y[i] = y[i] * 3 + x[i];
}
kernel void downwards(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int i = end - 1; i >= begin; --i) y[i] = y[i] * 3 + x[i];
}
kernel void until(global const T* x, global T* y, uint n, uint chunk) {
  uint i = get_global_id(0) * chunk, end = i + chunk;
  while (i < n && i < end) {
    y[i] = y[i] * 3 + x[i];
    ++i;
  }
}
kernel void odd(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int i = begin; i < end; ++i)
    if (x[i] & 1) y[i] = y[i] * 3 + x[i];
}
kernel void kept(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int i = begin; i < end; ++i) y[i] = x[i] & 1 ? x[i] * 5 : y[i];
}
kernel void running(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int i = begin + 1; i < end; ++i) y[i] = y[i - 1] * 3 + x[i];
}
kernel void running_odd(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int i = begin + 1; i < end; ++i)
    if (x[i] & 1) y[i] = y[i - 1] * 3 + x[i];
}
kernel void shares(global const T* x, global T* y, int n) {
  const ulong size = get_global_size(0), id = get_global_id(0);
  for (ulong i = id * n / size; i < (id + 1) * n / size; ++i) y[i] = y[i] * 3 + x[i];
}
kernel void sums(global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  T odd = 0, most = 0;
  for (int i = begin; i < end; ++i) {
    if (x[i] & 1) odd += x[i] * 3;
    most = max(most, x[i]);
  }
  y[get_global_id(0)] = odd ^ most;
}
kernel void rows(global const T* x, global T* y, int n, int chunk, int width) {
  CHUNK;
  for (int row = begin; row < end; ++row)
    for (int k = 1; k < width; ++k) y[row * width + k] = x[row * width + k] * 3 + x[row * width + k - 1];
}
kernel void sparse(global const int* first, global const T* x, global T* y, int n, int chunk) {
  CHUNK;
  for (int row = begin; row < end; ++row) {
    T sum = 1;
    for (int k = first[row]; k < first[row + 1]; ++k) sum = sum * 3 + x[k];
    y[row] = sum;
  }
}
)";

/// Of every launch; 0: the platform's own choice.
constexpr std::size_t kLocalSizes[] = {0, 1, 7, 32};

Range range_of(std::size_t items, std::size_t local) {
  if (local == 0) return {{items}, {}};
  return {{(items + local - 1) / local * local}, {local}};
}

template <typename T>
class Chunks : public ApiTest {
 protected:
  static constexpr int kCount = 3000;

  Chunks() : x_(kCount), y_(kCount) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = T(i * 7919 % 10007);
      y_[i] = T(i * 104729 % 7919);
    }
  }

  Program build() const { return this->session.build(kSource, std::string("-DT=") + (sizeof(T) == 4 ? "uint" : "ulong")); }

  /// What chunk after chunk makes of `x` and `y`, where `x` may be `y`.
  static void run(const std::string& name, const std::vector<T>& x, std::vector<T>& y, int n, int chunk, int items) {
    const bool is_odd = name == "odd" || name == "running_odd", runs = name.starts_with("running");
    for (int item = 0; item < items; ++item) {
      const int begin = item * chunk + (runs ? 1 : 0), end = std::min(item * chunk + chunk, n);
      for (int k = begin; k < end; ++k) {
        const auto i = std::size_t(name == "downwards" ? end - 1 - (k - begin) : k);
        if (is_odd && !(x[i] & 1)) continue;
        y[i] = name == "kept" ? (x[i] & 1 ? x[i] * 5 : y[i]) : T(y[runs ? i - 1 : i] * 3 + x[i]);
      }
    }
  }

  void check_elements() {
    const Program program = build();
    for (const char* name : {"added", "downwards", "until", "odd", "kept", "running", "running_odd"}) {
      const Kernel kernel = this->session.kernel(program, name);
      for (const std::size_t local : kLocalSizes)
        for (const auto [n, chunk] : {std::pair{2990, 50}, {2990, 100}, {3000, 47}, {1000, 500}, {60, 64}, {0, 64}})
          for (const bool in_place : {false, true}) {
            SCOPED_TRACE(std::string(name) + ' ' + std::to_string(local) + ' ' + std::to_string(n) + ' ' + std::to_string(chunk) +
                         (in_place ? " in place" : ""));
            const Range range = range_of(std::size_t(kCount / chunk + 1), local);
            const Mem from = this->session.upload(x_), to = this->session.upload(y_);
            this->session.launch(kernel, range, in_place ? to : from, to, cl_int(n), cl_int(chunk));
            std::vector<T> expected = y_;
            run(name, in_place ? expected : x_, expected, n, chunk, int(range.items()));
            ASSERT_EQ(this->session.template download<T>(to, y_.size()), expected);
          }
    }
  }

  void check_shares() {
    const Program program = build();
    const Kernel kernel = this->session.kernel(program, "shares");
    for (const std::size_t local : kLocalSizes)
      for (const int n : {2990, 777, 20, 0}) {
        SCOPED_TRACE(std::to_string(local) + ' ' + std::to_string(n));
        const Mem from = this->session.upload(x_), to = this->session.upload(y_);
        this->session.launch(kernel, range_of(32, local), from, to, cl_int(n));
        std::vector<T> expected = y_;
        run("added", x_, expected, n, n, 1);
        ASSERT_EQ(this->session.template download<T>(to, y_.size()), expected);
      }
  }

  void check_sums() {
    const Program program = build();
    const Kernel kernel = this->session.kernel(program, "sums");
    for (const std::size_t local : kLocalSizes)
      for (const auto [n, chunk] : {std::pair{2990, 50}, {3000, 1500}, {10, 64}}) {
        SCOPED_TRACE(std::to_string(local) + ' ' + std::to_string(n) + ' ' + std::to_string(chunk));
        const Range range = range_of(std::size_t((n + chunk - 1) / chunk), local);
        const Mem from = this->session.upload(x_), to = this->session.upload(y_);
        this->session.launch(kernel, range, from, to, cl_int(n), cl_int(chunk));
        std::vector<T> expected = y_;
        for (std::size_t item = 0; item < range.items(); ++item) {
          T odd = 0, most = 0;
          for (int i = int(item) * chunk; i < std::min(int(item + 1) * chunk, n); ++i) {
            if (x_[std::size_t(i)] & 1) odd += x_[std::size_t(i)] * 3;
            most = std::max(most, x_[std::size_t(i)]);
          }
          expected[item] = odd ^ most;
        }
        ASSERT_EQ(this->session.template download<T>(to, y_.size()), expected);
      }
  }

  /// Rows of a matrix, and of a sparse one, of which some are empty.
  void check_rows() {
    const Program program = build();
    const Kernel rows = this->session.kernel(program, "rows"), sparse = this->session.kernel(program, "sparse");
    for (const std::size_t local : kLocalSizes)
      for (const auto [n, chunk] : {std::pair{40, 3}, {40, 20}, {1, 3}}) {
        constexpr std::size_t kWidth = 70;
        SCOPED_TRACE(std::to_string(local) + ' ' + std::to_string(n) + ' ' + std::to_string(chunk));
        const Range range = range_of(std::size_t((n + chunk - 1) / chunk), local);
        std::vector<cl_int> first(std::size_t(n) + 1);
        for (std::size_t i = 0; i < std::size_t(n); ++i) first[i + 1] = first[i] + cl_int(i * 5 % 23);
        std::vector<T> of_rows = y_, of_sparse = y_;
        for (std::size_t row = 0; row < std::size_t(n); ++row) {
          for (std::size_t i = row * kWidth + 1; i < (row + 1) * kWidth; ++i) of_rows[i] = x_[i] * 3 + x_[i - 1];
          T sum = 1;
          for (cl_int k = first[row]; k < first[row + 1]; ++k) sum = sum * 3 + x_[std::size_t(k)];
          of_sparse[row] = sum;
        }
        const Mem from = this->session.upload(x_), to = this->session.upload(y_), too = this->session.upload(y_),
                  begins = this->session.upload(first);
        this->session.launch(rows, range, from, to, cl_int(n), cl_int(chunk), cl_int(kWidth));
        ASSERT_EQ(this->session.template download<T>(to, y_.size()), of_rows);
        this->session.launch(sparse, range, begins, from, too, cl_int(n), cl_int(chunk));
        ASSERT_EQ(this->session.template download<T>(too, y_.size()), of_sparse);
      }
  }

 private:
  std::vector<T> x_, y_;
};

using WordChunks = Chunks<cl_uint>;
using LongChunks = Chunks<cl_ulong>;
TEST_F(WordChunks, OfEachWorkItem) { check_elements(); }
TEST_F(LongChunks, OfEachWorkItem) { check_elements(); }
TEST_F(WordChunks, AreShares) { check_shares(); }
TEST_F(LongChunks, AreShares) { check_shares(); }
TEST_F(WordChunks, AreAddedUp) { check_sums(); }
TEST_F(LongChunks, AreAddedUp) { check_sums(); }
TEST_F(WordChunks, HaveRows) { check_rows(); }
TEST_F(LongChunks, HaveRows) { check_rows(); }

}  // namespace
}  // namespace weft::conformance
