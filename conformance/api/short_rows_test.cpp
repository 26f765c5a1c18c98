// Rows of a handful of elements, a work-item each: sums in the order that the program has, bit for bit.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

/// Lists of columns and numbers, in which each work-item has a row.
struct Rows {
  std::vector<cl_int> first, column;
  std::vector<cl_float> a, x;
};

/// What a work-item's loop is given.
struct Row {
  const Rows& rows;
  std::size_t item;
  cl_int begin() const { return rows.first[item]; }
  cl_int end() const { return rows.first[item + 1]; }
  cl_float a(cl_int k) const { return rows.a[static_cast<std::size_t>(k)]; }
  cl_int column(cl_int k) const { return rows.column[static_cast<std::size_t>(k)]; }
  cl_float x(cl_int k) const { return rows.x[static_cast<std::size_t>(column(k))]; }
};

class ShortRows : public ApiTest {
 protected:
  /// Rows of up to `most` elements.
  static Rows rows(std::size_t count, unsigned most) {
    Rows rows;
    std::uint32_t state = most;
    const auto next = [&](unsigned below) { return (state = state * 1664525u + 1013904223u) / 65536 % below; };
    rows.first.push_back(0);
    for (std::size_t i = 0; i < count; ++i) rows.first.push_back(rows.first.back() + static_cast<cl_int>(next(most + 1)));
    for (cl_int k = 0; k < rows.first.back() + 1; ++k) {
      rows.column.push_back(static_cast<cl_int>(next(static_cast<unsigned>(count))));
      rows.a.push_back(static_cast<cl_float>(next(1000)) / 7 - 60);
    }
    for (std::size_t i = 0; i < count; ++i) rows.x.push_back(static_cast<cl_float>(next(1000)) / 11 - 40);
    // What these make of a sum stays.
    rows.x[count / 2] = std::numeric_limits<cl_float>::infinity();
    rows.x[count / 3] = -0.0f;
    return rows;
  }

  template <typename T>
  void check(const std::string& type, const std::string& body, const std::function<T(Row)>& host, const std::string& options = "") {
    const Program program = session.build(
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "kernel void k(global const int* first, global const int* column, global const float* a, global const float* x, global " +
            type + "* out) { const int i = get_global_id(0), begin = first[i], end = first[i + 1];" + body + "}",
        options);
    const Kernel kernel = session.kernel(program, "k");
    for (const std::size_t local : {std::size_t{64}, std::size_t{256}, std::size_t{40}, std::size_t{1}})
      for (const unsigned most : {1u, 6u, 12u, 24u, 33u, 60u, 300u}) {
        const std::size_t count = 3 * local;
        const Rows in = rows(count, most);
        const Mem out = session.upload(std::vector<T>(count));
        session.launch(kernel, {{count}, {local}}, session.upload(in.first), session.upload(in.column), session.upload(in.a),
                       session.upload(in.x), out);
        const auto got = session.download<T>(out, count);
        for (std::size_t i = 0; i < count; ++i) {
          const T expected = host({in, i});
          if constexpr (std::is_same_v<T, cl_float>) {
            if (std::isnan(expected) && std::isnan(got[i])) continue;
            ASSERT_EQ(std::bit_cast<cl_uint>(got[i]), std::bit_cast<cl_uint>(expected))
                << got[i] << ", not " << expected << ", item " << i << " of groups of " << local << ", rows up to " << most;
          } else {
            ASSERT_EQ(got[i], expected) << "item " << i << " of groups of " << local << ", rows up to " << most;
          }
        }
      }
  }
};

TEST_F(ShortRows, AreAddedInOrder) {
  check<cl_float>("float", "float sum = -0.0f; for (int k = begin; k < end; ++k) sum += a[k] * x[column[k]]; out[i] = sum;", [](Row row) {
    cl_float sum = -0.0f;
    for (cl_int k = row.begin(); k < row.end(); ++k) {
      const cl_float product = row.a(k) * row.x(k);
      sum += product;
    }
    return sum;
  });
}

TEST_F(ShortRows, LeaveOutTheirOwnNumber) {
  check<cl_float>("float",
                  "float sum = i; for (int k = begin; k < end; ++k) if (column[k] % 3 != i % 3) sum -= x[column[k]]; out[i] = sum;",
                  [](Row row) {
                    auto sum = static_cast<cl_float>(row.item);
                    for (cl_int k = row.begin(); k < row.end(); ++k)
                      if (row.column(k) % 3 != static_cast<cl_int>(row.item) % 3) sum -= row.x(k);
                    return sum;
                  });
}

TEST_F(ShortRows, GoDown) {
  check<cl_float>("float", "float sum = 1; for (int k = end - 1; k >= begin; --k) sum = sum * 0.5f + x[column[k]] * a[k]; out[i] = sum;",
                  [](Row row) {
                    cl_float sum = 1;
                    for (cl_int k = row.end() - 1; k >= row.begin(); --k) {
                      const cl_float half = sum * 0.5f, product = row.x(k) * row.a(k);
                      sum = half + product;
                    }
                    return sum;
                  });
}

TEST_F(ShortRows, TakeEverySecondElement) {
  check<cl_int>("int",
                "int count = 0, all = ~0; for (uint k = begin; k < (uint)end; k += 2) { count += x[column[k]] > a[k]; all &= column[k] | "
                "1; } out[i] = count * 1000 + all;",
                [](Row row) {
                  cl_int count = 0, all = ~0;
                  for (cl_int k = row.begin(); k < row.end(); k += 2) {
                    count += row.x(k) > row.a(k);
                    all &= row.column(k) | 1;
                  }
                  return count * 1000 + all;
                });
}

TEST_F(ShortRows, HaveALeastAndAMost) {
  check<cl_int>("int",
                "int least = i, most = -5; for (int k = begin; k < end; ++k) { const int j = column[k]; least = min(least, j); if (j & 1) "
                "most = max(most, j - i); } out[i] = least * 4096 + most;",
                [](Row row) {
                  auto least = static_cast<cl_int>(row.item), most = -5;
                  for (cl_int k = row.begin(); k < row.end(); ++k) {
                    const cl_int j = row.column(k);
                    least = std::min(least, j);
                    if (j & 1) most = std::max(most, j - static_cast<cl_int>(row.item));
                  }
                  return least * 4096 + most;
                });
}

TEST_F(ShortRows, KnowWhereTheGreatestIs) {
  check<cl_int>("int",
                "float most = -1e9f; int at = -1; for (int k = begin; k < end; ++k) { const float value = x[column[k]] * a[k]; at = value "
                "> most ? k : at; most = value > most ? value : most; } out[i] = at;",
                [](Row row) {
                  cl_float most = -1e9f;
                  cl_int at = -1;
                  for (cl_int k = row.begin(); k < row.end(); ++k) {
                    const cl_float value = row.x(k) * row.a(k);
                    if (value > most) at = k;
                    if (value > most) most = value;
                  }
                  return at;
                });
}

TEST_F(ShortRows, HaveElementsOfTwoSizes) {
  const std::string body = R"(
    global const uchar* bytes = (global const uchar*)column;
    double sum = 0.5; ulong bits = 1;
    for (int k = begin; k < end; ++k) {
      const int near = bytes[k] & 3;
      if (near != 2) sum += (double)a[k] * near;
      else bits = bits * 3 ^ k;
    }
    out[i] = (long)(sum * 1024.0) + (long)bits;)";
  check<cl_long>("long", body, [](Row row) {
    const auto* bytes = reinterpret_cast<const cl_uchar*>(row.rows.column.data());
    double sum = 0.5;
    cl_ulong bits = 1;
    for (cl_int k = row.begin(); k < row.end(); ++k) {
      const int near = bytes[k] & 3;
      if (near != 2)
        sum += static_cast<double>(row.a(k)) * near;
      else
        bits = (bits * 3) ^ static_cast<cl_ulong>(k);
    }
    return static_cast<cl_long>(sum * 1024.0) + static_cast<cl_long>(bits);
  });
}

}  // namespace
}  // namespace weft::conformance
