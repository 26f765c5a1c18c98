// Places that `?:` chooses by a bound: rings, clamps and halves, whose border lies anywhere in a warp or a row of a group, also in lanes that
// are off. An implementation may take the lanes of a warp for neighbours where all choose alike.
#include "api/places.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
kernel void right(global const int* in, global int* out, int from, int n) { int i = get_global_id(0) + from; out[get_global_id(0)] = in[i == n - 1 ? 0 : i + 1]; }
kernel void left(global const int* in, global int* out, int from, int n) { int i = get_global_id(0) + from; out[get_global_id(0)] = in[i == n ? n + 7 : i - 1]; }
kernel void beyond(global const int* in, global int* out, int from, int n) {
  uint i = get_global_id(0) + from;
  if (i >= n) i = n - 1;
  out[get_global_id(0)] = in[i] + in[i + n * 2];
}
kernel void halves(global const int* in, global int* out, int from, int n) { int i = get_global_id(0) + from; out[get_global_id(0)] = in[i < n ? i + n : i - n]; }
kernel void between(global const int* in, global int* out, int from, int n) {
  int i = get_global_id(0) + from;
  out[get_global_id(0)] = in[i >= from + 9 && i < n ? i : 3];
}
kernel void sometimes(global const int* in, global int* out, int from, int n) {
  int i = get_global_id(0) + from, s = -1;
  if (in[i] & 4) for (int k = 0; k < 3; ++k) s += in[i + k >= n ? i + k - n : i + k];
  out[get_global_id(0)] = s;
}
kernel void stored(global const int* in, global int* out, int from, int n) {
  int i = get_global_id(0);
  out[i < n ? i + (int)get_global_size(0) - n : i - n] = in[i + from];
}
)";

class Choices : public PlacesTest {
 protected:
  Choices() : PlacesTest(kSource) {}
};

TEST_F(Choices, ChangeAtAnyLane) {
  for (const cl_int n : {1, 2, 31, 32, 33, 64, 100, 127, 383, 384, 400, 1000})
    for (const cl_int from : {0, 1, 17, 300}) {
      check("right", from, n, [&](int i) { return in[i + from == n - 1 ? 0 : i + from + 1]; });
      if (from != 0) check("left", from, n, [&](int i) { return in[i + from == n ? n + 7 : i + from - 1]; });
      const auto held = [&](int i) { return std::min(i + from, n - 1); };
      check("beyond", from, n, [&](int i) { return in[held(i)] + in[held(i) + n * 2]; });
      check("halves", from, n, [&](int i) { return in[i + from < n ? i + from + n : i + from - n]; });
      check("between", from, n, [&](int i) { return in[i >= 9 && i + from < n ? i + from : 3]; });
      check("sometimes", from, n, [&](int i) {
        cl_int s = -1;
        for (int k = 0; k < 3 && in[i + from] & 4; ++k) s += in[i + from + k >= n ? i + from + k - n : i + from + k];
        return s;
      });
    }
}

TEST_F(Choices, AreStoredTo) {
  for (const cl_int n : {0, 1, 31, 32, 100, 384})
    check("stored", 5, n, [&](int i) { return in[(i + n) % kItems + 5]; });
}

}  // namespace
}  // namespace weft::conformance
