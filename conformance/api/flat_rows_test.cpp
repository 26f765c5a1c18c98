// Loops over rows that lists tell, of all lanes together and of each alone (compiler/simt/memory/flat_rows.h).
#include <algorithm>
#include <string>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class FlatRows : public ApiTest {};

constexpr char kSource[] = R"(
kernel void products(global const int* begins, global const int* ends, global const int* column, global const T* value, global T* out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  T sum = 0;
  for (int k = begins[i]; k < ends[i]; ++k) sum += value[k] * value[column[k]];
  out[i] = sum;
}
kernel void begun(global const int* begins, global const int* ends, global const int* column, global const T* value, global T* out, int n) {
  int i = get_global_id(0);
  if (i % 7 == 3 || i >= n) return;
  T sum = value[i], least = 1000;
  for (uint k = begins[i], end = ends[i]; k < end; ++k) {
    sum = sum * (T)2 - value[column[k]];
    if (sum > (T)500 || sum < (T)-500) sum = value[k];
    least = min(least, value[k]);
  }
  out[i] = sum + least;
}
kernel void others(global const int* begins, global const int* ends, global const int* column, global const T* value, global T* out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  T sum = 1;
  int found = -1;
  for (long k = begins[i]; k < ends[i]; ++k)
    if (column[k] > i) {
      sum += value[column[k]] * value[i];
      found = k;
    }
  out[i] = sum + found;
}
kernel void last(global const int* begins, global const int* ends, global const int* column, global const T* value, global T* out, int n) {
  int i = get_global_id(0);
  int seen = -1, k;
  if (i < n)
    for (k = begins[i]; k < ends[i]; k += 2) seen = column[k];
  if (i < n) out[i] = seen + k;
}
)";

constexpr const char* kNames[] = {"products", "begun", "others", "last"};

struct Rows {
  std::string name;
  std::vector<cl_int> begins, ends;
};

/// Of lengths up to `most`, one behind the other or with gaps.
Rows rows_of(const std::string& name, std::size_t count, cl_int most, bool has_gaps, cl_int first) {
  Rows rows{name, {}, {}};
  cl_int place = first;
  cl_uint state = 12345;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    const cl_int length = most < 0 ? -most : cl_int((state >> 16) % cl_uint(most + 1));
    rows.begins.push_back(place);
    rows.ends.push_back(place + length);
    place += length + (has_gaps ? cl_int(state >> 30) : 0);
  }
  return rows;
}

template <typename T>
void run(Session& session, const std::string& type, const Rows& rows, const std::vector<Kernel>& kernels) {
  const std::size_t count = rows.begins.size();
  const auto elements = std::max<std::size_t>(count, static_cast<std::size_t>(rows.ends.back()) + 40);
  std::vector<cl_int> column(elements);
  std::vector<T> value(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    column[i] = cl_int(i * 7919 % count);
    value[i] = T(int(i * 31 % 17) - 8);
  }
  const Mem begins = session.upload(rows.begins), ends = session.upload(rows.ends), columns = session.upload(column), values = session.upload(value);
  for (std::size_t which = 0; which < kernels.size(); ++which)
    for (const std::size_t n : {count, count - 37}) {
      const std::string name = kNames[which];
      SCOPED_TRACE(name + " of " + type + ", " + rows.name + ", " + std::to_string(n));
      std::vector<T> expected(count, T(-1));
      for (std::size_t i = 0; i < n; ++i) {
        if (name == "begun" && i % 7 == 3) continue;
        const auto at = [&](cl_int place) { return value[static_cast<std::size_t>(place)]; };
        const auto to = [&](cl_int place) { return column[static_cast<std::size_t>(place)]; };
        T sum = name == "begun" ? value[i] : T(name == "others"), least = 1000;
        cl_int found = -1, k = rows.begins[i];
        for (; k < rows.ends[i]; k += name == "last" ? 2 : 1) {
          if (name == "products") sum += at(k) * at(to(k));
          if (name == "last") found = to(k);
          if (name == "others" && to(k) > cl_int(i)) sum += at(to(k)) * value[i], found = k;
          if (name != "begun") continue;
          sum = sum * T(2) - at(to(k));
          if (sum > T(500) || sum < T(-500)) sum = at(k);
          least = std::min(least, at(k));
        }
        expected[i] = name == "begun" ? sum + least : name == "others" ? sum + T(found) : name == "last" ? T(found + k) : sum;
      }
      const Mem out = session.upload(std::vector<T>(count, T(-1)));
      session.launch(kernels[which], Range{{count}, {64}}, begins, ends, columns, values, out, cl_int(n));
      ASSERT_EQ(session.download<T>(out, count), expected);
    }
}

template <typename T>
void run(Session& session, const std::string& type, const std::vector<Rows>& all) {
  const Program program = session.build(kSource, "-DT=" + type);
  std::vector<Kernel> kernels;
  for (const char* name : kNames) kernels.push_back(session.kernel(program, name));
  for (const Rows& rows : all) run<T>(session, type, rows, kernels);
}

TEST_F(FlatRows, OneBehindTheOtherAndApart) {
  constexpr std::size_t kCount = 640;
  std::vector<Rows> all;
  for (const cl_int most : {1, 2, 5, 16, 24, 40, 200, -1, -4, -20}) {
    all.push_back(rows_of("up to " + std::to_string(most), kCount, most, false, 0));
    all.push_back(rows_of("up to " + std::to_string(most) + ", with gaps", kCount, most, true, 3));
  }
  // One long row among short ones, at the begin, in the middle and at the end of a warp, and beside rows of none.
  for (const std::size_t place : {0, 15, 31}) {
    Rows rows{"one long at " + std::to_string(place), {}, {}};
    cl_int from = 5;
    for (std::size_t i = 0; i < kCount; ++i) {
      const cl_int length = i % 32 == place ? 70 : i / 32 % 2 ? 0 : cl_int(i % 3);
      rows.begins.push_back(from);
      rows.ends.push_back(from += length);
    }
    all.push_back(rows);
  }
  run<cl_float>(session, "float", all);
  run<cl_double>(session, "double", all);
  run<cl_int>(session, "int", all);
  run<cl_long>(session, "long", all);
}

}  // namespace
}  // namespace weft::conformance
