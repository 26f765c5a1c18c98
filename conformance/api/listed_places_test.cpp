// Work-items that read what a list names: in order, nearly in order, backwards, in no order; under conditions, from the middle of a buffer. An implementation
// may take those whose places follow each other for neighbours.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr int kPlaces = 2048;

/// Lists of places of a group of launches: what each is called, and the place of item `i` of `count`.
struct List {
  const char* name;
  int (*place)(int i, int count);
};
constexpr List kLists[] = {
    {"in order", [](int i, int) { return i + 7; }},
    {"backwards", [](int i, int count) { return count - 1 - i; }},
    {"all the same", [](int, int) { return 5; }},
    {"in no order", [](int i, int) { return i * 677 % kPlaces; }},
    {"the ends as if in order", [](int i, int) { return i % 16 == 3 ? 0 : i + 1; }},
    {"beside a border", [](int i, int) { return i ? i - 1 : 0; }},
    {"in order from the middle of each row", [](int i, int) { return i / 32 * 50 + i % 32; }},
};

template <typename Number>
class ListedPlaces : public ApiTest {
 protected:
  /// For lists of OpenCL's `index`, of type Index, and elements of `type`.
  template <typename Index>
  void check(const std::string& index, const std::string& type) {
    const Program program = session.build("#define T " + type + "\n#define I " + index + R"(
kernel void named(global const T* in, global const I* list, global T* out) {
  const int i = get_global_id(0) + get_global_size(0) * get_global_id(1);
  out[i] = in[list[i]] + in[list[i] + 3];
}
// Of some alone, from the middle.
kernel void behind(global const T* in, global const I* list, global T* out) {
  const int i = get_global_id(0) + get_global_size(0) * get_global_id(1);
  global const T* middle = in + 100;
  T sum = 1;
  for (int k = 0; k < 3; ++k)
    if (list[i] % 5 != k) sum = sum * 2 + middle[(int)list[i] - k];
  out[i] = sum;
}
)");
    std::vector<Number> in(kPlaces + 200);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<Number>(i * 13 % 101);
    const Mem from = session.upload(in);
    const std::vector<std::vector<std::size_t>> groups = {{256, 1}, {32, 4}, {16, 8}, {40, 1}, {1, 1}};
    for (const List& list : kLists)
      for (const auto& local : groups) {
        SCOPED_TRACE(index + ", " + type + ", " + list.name + ", groups of " + std::to_string(local[0]) + " x " + std::to_string(local[1]));
        const int count = static_cast<int>(4 * local[0] * local[1]);
        std::vector<Index> places(count);
        for (int i = 0; i < count; ++i) places[i] = static_cast<Index>(list.place(i, count));
        const Mem named = session.upload(places);
        const auto expect = [&](const char* kernel, auto value) {
          const Mem out = session.upload(std::vector<Number>(count, Number(77)));
          session.launch(session.kernel(program, kernel), {{2 * local[0], 2 * local[1]}, local}, from, named, out);
          const auto got = session.download<Number>(out, count);
          for (int i = 0; i < count; ++i) ASSERT_EQ(got[i], value(places[i])) << kernel << ", item " << i;
        };
        expect("named", [&](Index at) { return in[at] + in[at + 3]; });
        expect("behind", [&](Index at) {
          Number sum = 1;
          for (Index k = 0; k < 3; ++k)
            if (at % 5 != k) sum = sum * 2 + in[100 + at - k];
          return sum;
        });
      }
  }
};

using ListedFloats = ListedPlaces<cl_float>;
using ListedLongs = ListedPlaces<cl_long>;

TEST_F(ListedFloats, OfInt) { check<cl_int>("int", "float"); }
TEST_F(ListedFloats, OfUint) { check<cl_uint>("uint", "float"); }
TEST_F(ListedFloats, OfLong) { check<cl_long>("long", "float"); }
TEST_F(ListedLongs, OfInt) { check<cl_int>("int", "long"); }

}  // namespace
}  // namespace weft::conformance
