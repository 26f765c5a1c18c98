// Relational, common and geometric functions, and one lane's atomics.
#include <algorithm>
#include <array>

#include "cases.h"
#include "values.h"

#define DECLARE_PREDICATE(f, T, R)                \
  extern "C" void f##_##T(ulong, const T*, int*); \
  extern "C" void f##_##T##_4(ulong, const T*, R*);
#define DECLARE_RELATION(f, T, R)                           \
  extern "C" void f##_##T(ulong, const T*, const T*, int*); \
  extern "C" void f##_##T##_4(ulong, const T*, const T*, R*);
WEFT_TEST_PREDICATES(DECLARE_PREDICATE, float, int)
WEFT_TEST_PREDICATES(DECLARE_PREDICATE, double, long)
WEFT_TEST_RELATIONS(DECLARE_RELATION, float, int)
WEFT_TEST_RELATIONS(DECLARE_RELATION, double, long)
#define DECLARE_UNARY(f, R, T) DECLARE_PREDICATE_(f, T)
#define DECLARE_PREDICATE_(f, T)                \
  extern "C" void f##_##T(ulong, const T*, T*); \
  extern "C" void f##_##T##_4(ulong, const T*, T*);
#define DECLARE_BINARY(f, R, T)                           \
  extern "C" void f##_##T(ulong, const T*, const T*, T*); \
  extern "C" void f##_##T##_4(ulong, const T*, const T*, T*);
#define DECLARE_TERNARY(f, R, T)                                    \
  extern "C" void f##_##T(ulong, const T*, const T*, const T*, T*); \
  extern "C" void f##_##T##_4(ulong, const T*, const T*, const T*, T*);
#define DECLARE_COMMON(T)                    \
  WEFT_TEST_COMMON_UNARY(DECLARE_UNARY, T)   \
  WEFT_TEST_COMMON_BINARY(DECLARE_BINARY, T) \
  WEFT_TEST_COMMON_TERNARY(DECLARE_TERNARY, T)
DECLARE_COMMON(float)
DECLARE_COMMON(double)
extern "C" {
void geometric_float_2(const float*, const float*, float*);
void geometric_float_3(const float*, const float*, float*);
void geometric_float_4(const float*, const float*, float*);
void geometric_double_2(const double*, const double*, double*);
void geometric_double_3(const double*, const double*, double*);
void geometric_double_4(const double*, const double*, double*);
void cross_float(const float*, const float*, float*);
void any_all(ulong, const signed char*, int*);
void select_signs(ulong, const long*, double*);
void select_scalars(ulong, const long*, double*);
void atomics(int*, int*);
}

namespace weft::test {
namespace {

template <typename T>
bool holds(const std::string& f, T x, T y) {
  if (f == "isnan") return std::isnan(x);
  if (f == "isinf") return std::isinf(x);
  if (f == "isfinite") return std::isfinite(x);
  if (f == "isnormal") return std::isnormal(x);
  if (f == "signbit") return std::signbit(x);
  if (f == "isequal") return x == y;
  if (f == "isnotequal") return x != y;
  if (f == "isgreater") return x > y;
  if (f == "isgreaterequal") return x >= y;
  if (f == "isless") return x < y;
  if (f == "islessequal") return x <= y;
  if (f == "islessgreater") return x < y || x > y;
  if (f == "isordered") return !std::isnan(x) && !std::isnan(y);
  if (f == "isunordered") return std::isnan(x) || std::isnan(y);
  ADD_FAILURE() << "no reference for " << f;
  return false;
}

/// Values of x paired with values of y: itself, its neighbour in the list, and one far away.
template <typename T>
void operands(std::vector<T>* x, std::vector<T>* y) {
  const std::vector<T> all = values<T>();
  for (std::size_t shift : {std::size_t(0), std::size_t(1), all.size() / 2})
    for (std::size_t i = 0; i < all.size(); ++i) {
      x->push_back(all[i]);
      y->push_back(all[(i + shift) % all.size()]);
    }
}

template <typename T, typename R, typename Scalar, typename Vector>
void check_relation(const char* name, Scalar scalar, Vector vector) {
  std::vector<T> x, y;
  operands(&x, &y);
  std::vector<int> one(x.size());
  std::vector<R> four(x.size());
  scalar(x, y, one.data());
  vector(x, y, four.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool expected = holds(name, x[i], y[i]);
    ASSERT_EQ(one[i], expected ? 1 : 0) << name << " of " << x[i] << ", " << y[i];
    ASSERT_EQ(four[i], expected ? -1 : 0) << name << " of 4-vectors, " << x[i] << ", " << y[i];
  }
}

#define CHECK_PREDICATE(f, T, R)                                          \
  check_relation<T, R>(                                                   \
      #f, [](auto& x, auto&, int* r) { f##_##T(x.size(), x.data(), r); }, \
      [](auto& x, auto&, R* r) { f##_##T##_4(x.size(), x.data(), r); });
#define CHECK_RELATION(f, T, R)                                                       \
  check_relation<T, R>(                                                               \
      #f, [](auto& x, auto& y, int* r) { f##_##T(x.size(), x.data(), y.data(), r); }, \
      [](auto& x, auto& y, R* r) { f##_##T##_4(x.size(), x.data(), y.data(), r); });
TEST(BuiltinsRelational, Float){WEFT_TEST_PREDICATES(CHECK_PREDICATE, float, int)
                                    WEFT_TEST_RELATIONS(CHECK_RELATION, float, int)} TEST(BuiltinsRelational,
                                                                                          Double){
    WEFT_TEST_PREDICATES(CHECK_PREDICATE, double, long) WEFT_TEST_RELATIONS(CHECK_RELATION, double, long)}

TEST(BuiltinsRelational, AnyAndAllLookAtSigns) {
  const signed char x[] = {0, 1, -1, -1, -2, -128, 127, 1, 2, -1, -1, 5};
  int r[16];
  any_all(4, x, r);
  const int expected[] = {1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 1};
  for (int i = 0; i < 16; ++i) EXPECT_EQ(r[i], expected[i]) << i;
}

TEST(BuiltinsRelational, SelectLooksAtSignsOfVectorsAndAllOfScalars) {
  const long c[] = {0, 1, -1, std::numeric_limits<long>::min()};
  double r[4];
  select_signs(4, c, r);
  EXPECT_TRUE(r[0] == 1 && r[1] == 1 && r[2] == 2 && r[3] == 2);
  select_scalars(4, c, r);
  EXPECT_TRUE(r[0] == 1 && r[1] == 2 && r[2] == 2 && r[3] == 2);
}

/// The exact result, in more digits; false where the specification leaves it open.
template <typename T>
bool common(const std::string& f, T x, T y, T z, long double* result) {
  const long double a = x, b = y, c = z;
  if (f == "degrees") *result = a * 180 / std::acos(-1.0L);
  if (f == "radians") *result = a * std::acos(-1.0L) / 180;
  if (f == "sign") *result = std::isnan(x) ? 0.0L : x > 0 ? 1.0L : x < 0 ? -1.0L : a;
  if (f == "max") *result = x < y ? b : a;
  if (f == "min") *result = y < x ? b : a;
  if (f == "step") *result = y < x ? 0 : 1;
  if (f == "clamp") *result = std::min(std::max(a, b), c);
  if (f == "mix") *result = a + (b - a) * c;
  if (f == "smoothstep") {
    const long double t = std::clamp((c - a) / (b - a), 0.0L, 1.0L);
    *result = t * t * (3 - 2 * t);
  }
  if (f == "sign") return true;
  if (std::isnan(x) || std::isnan(y) || std::isnan(z)) return false;
  if (f == "clamp") return b <= c;
  if (f == "mix") return std::fabs(a) < 1e4 && std::fabs(b) < 1e4 && c >= 0 && c <= 1;
  if (f == "smoothstep")
    return a < b && std::fabs(a) < 1e4 && std::fabs(b) < 1e4 && b - a > 1e-3 && std::fabs(c) < 1e4;
  if (f == "degrees" || f == "radians") return std::fabs(a) < 1e30 && std::fabs(a) > 1e-30;
  return true;
}

template <typename T, typename Function>
void check_common(const char* name, bool exact, Function function, Function vector) {
  std::vector<T> x, y;
  operands(&x, &y);
  std::vector<T> z = x;
  std::rotate(z.begin(), z.begin() + 17, z.end());
  if (std::string(name) == "mix")
    for (T& v : z) v = std::fabs(v) - std::floor(std::fabs(v));
  std::vector<T> one(x.size()), four(x.size());
  function(x, y, z, one.data());
  vector(x, y, z, four.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    long double expected;
    if (!common(std::string(name), x[i], y[i], z[i], &expected)) continue;
    const long double scale =
        std::max({std::fabs(expected), std::string(name) == "mix" ? std::fabs((long double)x[i]) : 0,
                  std::string(name) == "mix" ? std::fabs((long double)y[i]) : 0});
    const long double tolerance = exact ? 0
                                  : std::string(name) == "smoothstep"
                                      ? 1e-3L
                                      : 4 * scale * std::numeric_limits<T>::epsilon();
    for (T result : {one[i], four[i]}) {
      if (exact)
        ASSERT_EQ(result, T(expected)) << name << " of " << x[i] << ", " << y[i] << ", " << z[i];
      else
        ASSERT_NEAR(result, expected, tolerance) << name << " of " << x[i] << ", " << y[i] << ", " << z[i];
    }
  }
}

#define CALL(...)                                                                                          \
  +[](std::vector<CommonType>& x, std::vector<CommonType>& y, std::vector<CommonType>& z, CommonType* r) { \
    (void)y, (void)z;                                                                                      \
    __VA_ARGS__;                                                                                           \
  }
#define CHECK_UNARY(f, R, T)                                                           \
  check_common<T>(#f, std::string(#f) == "sign", CALL(f##_##T(x.size(), x.data(), r)), \
                  CALL(f##_##T##_4(x.size(), x.data(), r)));
#define CHECK_BINARY(f, R, T)                                               \
  check_common<T>(#f, true, CALL(f##_##T(x.size(), x.data(), y.data(), r)), \
                  CALL(f##_##T##_4(x.size(), x.data(), y.data(), r)));
#define CHECK_TERNARY(f, R, T)                                                                              \
  check_common<T>(#f, std::string(#f) == "clamp", CALL(f##_##T(x.size(), x.data(), y.data(), z.data(), r)), \
                  CALL(f##_##T##_4(x.size(), x.data(), y.data(), z.data(), r)));
#define TEST_COMMON(T)                         \
  TEST(BuiltinsCommon, T) {                    \
    using CommonType = T;                      \
    WEFT_TEST_COMMON_UNARY(CHECK_UNARY, T)     \
    WEFT_TEST_COMMON_BINARY(CHECK_BINARY, T)   \
    WEFT_TEST_COMMON_TERNARY(CHECK_TERNARY, T) \
  }
TEST_COMMON(float)
TEST_COMMON(double)

template <typename T, int n>
void check_geometric(void (*function)(const T*, const T*, T*)) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    const int exponent = round % 5 == 0 ? 100 : round % 5 == 1 ? -130 : 0;
    T x[4], y[4], r[8];
    for (int i = 0; i < n; ++i) {
      x[i] = T(std::ldexp((long double)std::int64_t(random()), exponent - 63));
      y[i] = T(std::ldexp((long double)std::int64_t(random()), exponent - 63));
    }
    long double squares = 0, distance = 0, dot = 0, magnitude = 0;
    for (int i = 0; i < n; ++i) {
      squares += (long double)x[i] * x[i];
      distance += ((long double)x[i] - y[i]) * ((long double)x[i] - y[i]);
      dot += (long double)x[i] * y[i];
      magnitude += std::fabs((long double)x[i] * y[i]);
    }
    function(x, y, r);
    const long double epsilon = std::numeric_limits<T>::epsilon(), length = std::sqrt(squares);
    ASSERT_NEAR(r[0], length, 3 * epsilon * length + std::numeric_limits<T>::denorm_min());
    ASSERT_NEAR(r[1], std::sqrt(distance),
                4 * epsilon * std::sqrt(distance) + 4 * std::numeric_limits<T>::denorm_min());
    if (exponent == 0) ASSERT_NEAR(r[2], dot, 4 * epsilon * magnitude);
    for (int i = 0; i < n; ++i) ASSERT_NEAR(r[3 + i], x[i] / length, 4 * epsilon);
  }
  // Zero stays, infinity becomes an axis.
  const T zero[4] = {0, T(-0.0), 0, 0}, far[4] = {1, -std::numeric_limits<T>::infinity(), 2, 3};
  T r[8];
  function(zero, far, r);
  EXPECT_TRUE(r[0] == 0 && std::isinf(r[1]) && r[3] == 0 && r[4] == 0 && std::signbit(r[4]));
  function(far, zero, r);
  EXPECT_TRUE(std::isinf(r[0]) && r[3] == 0 && r[4] == -1);
}

TEST(BuiltinsGeometric, Float) {
  check_geometric<float, 2>(geometric_float_2);
  check_geometric<float, 3>(geometric_float_3);
  check_geometric<float, 4>(geometric_float_4);
  const float x[] = {1, 2, 3}, y[] = {4, -5, 6};
  float r[3];
  cross_float(x, y, r);
  EXPECT_TRUE(r[0] == 27 && r[1] == 6 && r[2] == -13);
}
TEST(BuiltinsGeometric, Double) {
  check_geometric<double, 2>(geometric_double_2);
  check_geometric<double, 3>(geometric_double_3);
  check_geometric<double, 4>(geometric_double_4);
}

TEST(BuiltinsAtomic, OneLane) {
  int memory = 10;
  std::array<int, 44> seen{};
  atomics(&memory, seen.data());
  // Returned value, memory after it.
  const std::array<int, 44> expected = {
      10,    15, 15, 6,  6,  7,  7, 6,  6, 7,  7,  7,  7,  7,   7,   -3,  -3, 0xfd, 0xfd, 0x1fd, 0x1fd, 0x10d,
      0x10d, 21, 21, 21, 21, 23, 1, 40, 0, 40, 40, 40, 40, -10, -10, -10, 3,  4,    0,    1,     1,     1};
  EXPECT_EQ(seen, expected);
}

}  // namespace
}  // namespace weft::test
