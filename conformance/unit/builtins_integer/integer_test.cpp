// Integer functions against arithmetic in 128 bits.
#include <algorithm>

#include "cases.h"
#include "values.h"

#define DECLARE_UNARY(f, R, T)                  \
  extern "C" void f##_##T(ulong, const T*, R*); \
  extern "C" void f##_##T##_4(ulong, const T*, R*);
#define DECLARE_BINARY(f, R, T)                           \
  extern "C" void f##_##T(ulong, const T*, const T*, R*); \
  extern "C" void f##_##T##_4(ulong, const T*, const T*, R*);
#define DECLARE_TERNARY(f, R, T)                                    \
  extern "C" void f##_##T(ulong, const T*, const T*, const T*, R*); \
  extern "C" void f##_##T##_4(ulong, const T*, const T*, const T*, R*);
#define DECLARE(T, U)                  \
  WEFT_TEST_UNARY(DECLARE_UNARY, T, U) \
  WEFT_TEST_BINARY(DECLARE_BINARY, T, U) WEFT_TEST_TERNARY(DECLARE_TERNARY, T, U)
WEFT_TEST_INTEGER_TYPES(DECLARE)

namespace weft::test {
namespace {

__extension__ typedef __int128 Wide;

template <typename T>
T saturated(Wide x) {
  const Wide low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(x < low ? low : x > high ? high : x);
}

// Products of two ulong do not fit a signed 128-bit number.
template <typename T>
T product_high(T x, T y) {
  __extension__ typedef unsigned __int128 UWide;
  if constexpr (std::is_unsigned_v<T>) return static_cast<T>((UWide(x) * y) >> (sizeof(T) * 8));
  return static_cast<T>((Wide(x) * y) >> (sizeof(T) * 8));
}

template <typename T>
T multiply_add_saturated(T x, T y, T z) {
  if constexpr (std::is_same_v<T, ulong>) {
    __extension__ typedef unsigned __int128 UWide;
    const UWide sum = UWide(x) * y + z;
    return sum >> 64 ? ~T(0) : static_cast<T>(sum);
  }
  return saturated<T>(Wide(x) * y + z);
}

template <typename R, typename T>
R reference(const std::string& f, T x, T y = 0, T z = 0) {
  using U = std::make_unsigned_t<T>;
  const int bits = sizeof(T) * 8;
  if (f == "abs") return static_cast<R>(x < 0 ? -Wide(x) : Wide(x));
  if (f == "clz") return static_cast<R>(std::countl_zero(static_cast<U>(x)));
  if (f == "ctz") return static_cast<R>(std::countr_zero(static_cast<U>(x)));
  if (f == "popcount") return static_cast<R>(std::popcount(static_cast<U>(x)));
  if (f == "add_sat") return saturated<T>(Wide(x) + y);
  if (f == "sub_sat") return saturated<T>(Wide(x) - y);
  if (f == "hadd") return static_cast<R>((Wide(x) + y) >> 1);
  if (f == "rhadd") return static_cast<R>((Wide(x) + y + 1) >> 1);
  if (f == "max") return x < y ? y : x;
  if (f == "min") return y < x ? y : x;
  if (f == "abs_diff") return static_cast<R>(x < y ? Wide(y) - x : Wide(x) - y);
  if (f == "rotate")
    return static_cast<R>(std::rotl(static_cast<U>(x), static_cast<int>(static_cast<U>(y) % bits)));
  if (f == "mul_hi") return product_high(x, y);
  if (f == "mad_hi") return static_cast<R>(static_cast<U>(product_high(x, y)) + static_cast<U>(z));
  if (f == "mad_sat") return multiply_add_saturated(x, y, z);
  if (f == "clamp") return std::min(std::max(x, y), z);
  if (f == "bitselect") return static_cast<R>((x & ~z) | (y & z));
  ADD_FAILURE() << "no reference for " << f;
  return 0;
}

/// Every value with every other, a third by a stride.
template <typename T>
struct Operands {
  std::vector<T> x, y, z;
  Operands() {
    const std::vector<T> all = values<T>();
    for (std::size_t i = 0; i < all.size(); i += 5)
      for (std::size_t j = 0; j < all.size(); ++j) {
        x.push_back(all[i]);
        y.push_back(all[j]);
        z.push_back(all[(7 * i + 3 * j) % all.size()]);
      }
  }
};

template <typename T>
const Operands<T>& operands() {
  static const Operands<T> all;
  return all;
}

template <typename R, typename T, int kOperands, typename Function>
void check(const char* name, Function scalar, Function vector) {
  const Operands<T>& in = operands<T>();
  const std::size_t n = in.x.size();
  std::vector<R> one(n), four(n);
  if constexpr (kOperands == 1) {
    scalar(n, in.x.data(), one.data());
    vector(n, in.x.data(), four.data());
  } else if constexpr (kOperands == 2) {
    scalar(n, in.x.data(), in.y.data(), one.data());
    vector(n, in.x.data(), in.y.data(), four.data());
  } else {
    scalar(n, in.x.data(), in.y.data(), in.z.data(), one.data());
    vector(n, in.x.data(), in.y.data(), in.z.data(), four.data());
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (std::string(name) == "clamp" && in.z[i] < in.y[i]) continue;  // undefined
    const R expected = reference<R, T>(name, in.x[i], in.y[i], in.z[i]);
    ASSERT_EQ(+one[i], +expected) << name << " of " << +in.x[i] << ", " << +in.y[i] << ", " << +in.z[i];
    ASSERT_EQ(+four[i], +expected) << name << " of 4-vectors, " << +in.x[i] << ", " << +in.y[i] << ", "
                                   << +in.z[i];
  }
}

#define CHECK_UNARY(f, R, T) check<R, T, 1>(#f, f##_##T, f##_##T##_4);
#define CHECK_BINARY(f, R, T) check<R, T, 2>(#f, f##_##T, f##_##T##_4);
#define CHECK_TERNARY(f, R, T) check<R, T, 3>(#f, f##_##T, f##_##T##_4);
#define TEST_TYPE(T, U)                                                                                   \
  TEST(BuiltinsInteger, T##_unary){WEFT_TEST_UNARY(CHECK_UNARY, T, U)} TEST(BuiltinsInteger, T##_binary){ \
      WEFT_TEST_BINARY(CHECK_BINARY, T, U)} TEST(BuiltinsInteger, T##_ternary) {                          \
    WEFT_TEST_TERNARY(CHECK_TERNARY, T, U)                                                                \
  }
WEFT_TEST_INTEGER_TYPES(TEST_TYPE)

}  // namespace
}  // namespace weft::test
