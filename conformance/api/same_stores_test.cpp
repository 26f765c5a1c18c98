// Work-items that store one value to places of their own or to those of others, in loops of any length. An implementation may let them run one after the
// other.
#include <algorithm>
#include <string>
#include <vector>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
kernel void marks(global uchar* set, global const int* steps, const int n) {
  const int step = steps[get_global_id(0)];
  for (int k = step; k < n; k += step) set[k] = 7;
}
kernel void sieve(global uchar* set, global const int* steps, const int n) {
  const int part = (n + get_global_size(0) - 1) / get_global_size(0), first = get_global_id(0) * part, end = min(first + part, n);
  for (int k = first; k < end; ++k) set[k] = 7;
  for (int i = 0; i < 32; ++i) {
    const int step = steps[i];
    for (int k = (first + step - 1) / step * step; k < end; k += step) set[k] = 0;
  }
}
kernel void marks_if(global uchar* set, global const int* steps, const int n) {
  const int step = steps[get_global_id(0)];
  int marked = 0;
  for (int k = step; k < n; k += step) {
    if (k % 3 == 0) continue;
    set[k] = 7;
    if (++marked == 20) break;
  }
}
kernel void two_sizes(global uchar* set, global const int* steps, const int n) {
  const int step = steps[get_global_id(0)];
  for (int k = step & ~1; k + 1 < n; k += step & ~1) {
    set[k] = 0;
    *(global ushort*)(set + k) = 0;
  }
}
)";

std::vector<cl_uchar> expected(const std::string& name, const std::vector<cl_int>& steps, int n) {
  std::vector<cl_uchar> set(static_cast<std::size_t>(n), 1);
  const int items = static_cast<int>(steps.size());
  const auto at = [&](int k) -> cl_uchar& { return set[static_cast<std::size_t>(k)]; };
  for (int item = 0; item < items; ++item) {
    const int step = steps[static_cast<std::size_t>(item)];
    if (name == "marks") {
      for (int k = step; k < n; k += step) at(k) = 7;
    } else if (name == "sieve") {
      const int part = (n + items - 1) / items, first = item * part, end = std::min(first + part, n);
      for (int k = first; k < end; ++k) at(k) = 7;
      for (std::size_t i = 0; i < 32; ++i)
        for (int k = (first + steps[i] - 1) / steps[i] * steps[i]; k < end; k += steps[i]) at(k) = 0;
    } else if (name == "marks_if") {
      int marked = 0;
      for (int k = step; k < n && marked < 20; k += step)
        if (k % 3) {
          at(k) = 7;
          ++marked;
        }
    } else {
      for (int k = step & ~1; k + 1 < n; k += step & ~1) at(k) = at(k + 1) = 0;
    }
  }
  return set;
}

class SameStores : public ApiTest {};

TEST_F(SameStores, OfAnyLength) {
  const Program program = session.build(kSource);
  for (const std::size_t items : {64, 100}) {
    std::vector<cl_int> steps(items);
    for (std::size_t i = 0; i < items; ++i) steps[i] = static_cast<cl_int>(2 + i * i % 61);
    const Mem of = session.upload(steps);
    for (const char* name : {"marks", "sieve", "marks_if", "two_sizes"})
      for (const int n : {2, 33, 1000, 5003}) {
        SCOPED_TRACE(std::string(name) + ", " + std::to_string(n));
        const Mem set = session.upload(std::vector<cl_uchar>(static_cast<std::size_t>(n), 1));
        session.launch(session.kernel(program, name), {{items}, {items / 2}}, set, of, cl_int(n));
        ASSERT_EQ(session.download<cl_uchar>(set, static_cast<std::size_t>(n)), expected(name, steps, n));
      }
  }
}

/// Where nothing waits between them, an item sees what it has stored itself.
TEST_F(SameStores, WhatIsRead) {
  const Program program = session.build(R"(
kernel void k(global int* set, global int* out, const int n) {
  const int item = get_global_id(0);
  int seen = 0;
  for (int k = 0; k < n; ++k) {
    seen = seen * 3 + set[item * n + k];
    set[item * n + (k * 5 + 1) % n] = 1;
  }
  out[item] = seen;
})");
  constexpr std::size_t kItems = 64;
  constexpr int kRow = 9;
  const Mem set = session.upload(std::vector<cl_int>(kItems * kRow)), out = session.upload(std::vector<cl_int>(kItems));
  session.launch(session.kernel(program, "k"), {{kItems}, {kItems}}, set, out, cl_int(kRow));
  cl_int seen = 0, row[kRow] = {};
  for (int k = 0; k < kRow; ++k) {
    seen = seen * 3 + row[k];
    row[(k * 5 + 1) % kRow] = 1;
  }
  EXPECT_EQ(session.download<cl_int>(out, kItems), std::vector<cl_int>(kItems, seen));
}

}  // namespace
}  // namespace weft::conformance
