// Elements that work-items find by flipping bits of their number (compiler/simt/widen/memory/flipped_lanes.cpp): every pair of bits below
// and above the length of a register, whole and behind a condition, read and written, of 32 and 64 bits, in global and local memory.
#include <numeric>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

template <typename T>
class Flipped : public ApiTest {
 public:
  void check(const std::string& type) {
    const Program program = session.build("typedef " + type + R"( T;
kernel void whole(global const T* in, global T* out, uint bits, ulong begin) {
  const uint i = get_global_id(0);
  out[i] = in[begin + (i ^ bits)] + (T)1;
}
kernel void some(global const T* in, global T* out, uint bits, ulong begin) {
  const uint i = get_global_id(0), other = i ^ bits;
  if (other > i && i % 5 != 3) {
    out[other] = in[begin + i];
    out[i] = in[begin + other];
  }
}
kernel void in_group(global const T* in, global T* out, uint bits, ulong begin) {
  local T tile[256];
  const uint l = get_local_id(0), n = get_local_size(0);
  tile[l] = in[begin + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((l ^ bits) < n) out[get_global_id(0)] = tile[l ^ bits];
}
)");
    constexpr int kItems = 1024, kBegin = 5;
    std::vector<T> in(kItems + kBegin);
    std::iota(in.begin(), in.end(), T(100));
    const Mem from = session.upload(in);
    for (const char* name : {"whole", "some", "in_group"})
      for (const std::size_t local : {8u, 32u, 64u, 256u})
        for (const cl_uint bits : {0u, 1u, 2u, 5u, 7u, 8u, 15u, 16u, 31u, 32u, 33u, 63u, 64u, 100u, 255u, 512u, 1023u}) {
          SCOPED_TRACE(type + ", " + name + " of " + std::to_string(local) + " by " + std::to_string(bits));
          std::vector<T> expected(kItems, T(-1));
          const auto at = [&](cl_uint i) { return in[kBegin + i]; };
          for (cl_uint i = 0; i < kItems; ++i) {
            const cl_uint other = i ^ bits, l = i % local;
            if (name == std::string("whole")) expected[i] = at(other) + T(1);
            if (name == std::string("some") && other > i && i % 5 != 3) {
              expected[other] = at(i);
              expected[i] = at(other);
            }
            if (name == std::string("in_group") && (l ^ bits) < local) expected[i] = at(i - l + (l ^ bits));
          }
          const Mem out = session.upload(std::vector<T>(kItems, T(-1)));
          session.launch(session.kernel(program, name), {{kItems}, {local}}, from, out, bits, cl_ulong{kBegin});
          ASSERT_EQ(session.download<T>(out, kItems), expected);
        }
  }
};

using FlippedInts = Flipped<cl_int>;
using FlippedFloats = Flipped<cl_float>;
using FlippedLongs = Flipped<cl_long>;
using FlippedDoubles = Flipped<cl_double>;
TEST_F(FlippedInts, AreTheSame) { check("int"); }
TEST_F(FlippedFloats, AreTheSame) { check("float"); }
TEST_F(FlippedLongs, AreTheSame) { check("long"); }
TEST_F(FlippedDoubles, AreTheSame) { check("double"); }

}  // namespace
}  // namespace weft::conformance
