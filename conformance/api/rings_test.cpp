// Places in rings, by `%` and `&`: of every length, begin and direction, beside each other and under conditions. An implementation may take
// the lanes of a warp for neighbours where none begins another round.
#include "api/places.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
kernel void remainder_of(global const int* in, global int* out, int begin, int n) { int i = get_global_id(0); out[i] = in[(i + begin) % n + n]; }
kernel void unsigned_remainder(global const int* in, global int* out, uint begin, uint n) { uint i = get_global_id(0); out[i] = in[(i + begin) % n + n]; }
kernel void falling(global const int* in, global int* out, int begin, int n) { int i = get_global_id(0); out[i] = in[(begin - i) % n + n]; }
kernel void wide(global const int* in, global int* out, ulong begin, ulong n) { size_t i = get_global_id(0); out[i] = in[(i + begin) % n + n]; }
kernel void masked(global const int* in, global int* out, int begin, int n) { int i = get_global_id(0); out[i] = in[((i + begin) & (n - 1)) + n]; }
kernel void stepped(global const int* in, global int* out, int begin, int n) { int i = get_global_id(0); out[i] = in[(3 * i + begin) % n + n]; }
kernel void both(global const int* in, global int* out, int begin, int n) {
  int i = get_global_id(0);
  out[i] = in[(i + begin) % n + (2 * begin - i) % (n + 5) + 2 * n + 5];
}
kernel void sometimes(global const int* in, global int* out, int begin, int n) {
  int i = get_global_id(0), s = -1;
  if (in[i] & 4) for (int k = 0; k < 3; ++k) s += in[(i + begin + k) % n + n];
  out[i] = s;
}
kernel void stored(global const int* in, global int* out, int begin, int n) { int i = get_global_id(0); out[(i + begin) % n] = in[i]; }
)";

class Rings : public PlacesTest {
 protected:
  Rings() : PlacesTest(kSource) {}
};

TEST_F(Rings, AreOfEveryLength) {
  for (const cl_int n : {1, 2, 7, 31, 32, 33, 64, 100, 384, 1000, 1024})
    for (const cl_int begin : {0, 1, 17, 1000, -1, -40, -1000}) {
      check("remainder_of", begin, n, [&](int i) { return in[(i + begin) % n + n]; });
      check("falling", begin, n, [&](int i) { return in[(begin - i) % n + n]; });
      check("stepped", begin, n, [&](int i) { return in[(3 * i + begin) % n + n]; });
      check("both", begin, n, [&](int i) { return in[(i + begin) % n + (2 * begin - i) % (n + 5) + 2 * n + 5]; });
      check("masked", begin, n, [&](int i) { return in[((i + begin) & (n - 1)) + n]; });
      check("sometimes", begin, n, [&](int i) {
        cl_int s = -1;
        for (int k = 0; k < 3 && in[i] & 4; ++k) s += in[(i + begin + k) % n + n];
        return s;
      });
    }
}

TEST_F(Rings, EndWhereNumbersDo) {
  for (const cl_uint n : {1u, 5u, 64u, 1000u, 1024u})
    for (const cl_uint begin : {0u, 0x7fffff80u, 0xffffff80u, 0xffffffffu})
      check("unsigned_remainder", begin, n, [&](int i) { return in[(i + begin) % n + n]; });
  for (const cl_ulong n : {1ul, 48ul, 1024ul})
    for (const cl_ulong begin : {0ul, 0xffffff80ul, 0x7fffffffffffff80ul, 0xffffffffffffff80ul})
      check("wide", begin, n, [&](int i) { return in[(i + begin) % n + n]; });
}

TEST_F(Rings, AreStoredTo) {
  for (const cl_int begin : {0, 1, 383, 1000})
    check("stored", begin, cl_int{kItems}, [&](int i) { return in[((i - begin) % kItems + kItems) % kItems]; });
}

}  // namespace
}  // namespace weft::conformance
