// Layers of networks, whose elements are numbered along x: rows and channels that end within warps (compiler/simt/widen/memory/two_rows.cpp,
// two_places.cpp, compiler/simt/item/common_quotients.h).
#include <string>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Layers : public ApiTest {};

constexpr char kSource[] = R"(
kernel void crop(global const int* in, global int* out, NUMBER n, NUMBER w, NUMBER h, NUMBER pitch) {
  NUMBER i = get_global_id(0);
  if (i >= n) return;
  NUMBER x = i % w, y = i / w % h, c = i / (w * h);
  out[i] = in[(c * (h + 1) + y + 1) * pitch + x + 1];
}
kernel void pair(global const int2* in, global int2* out, NUMBER n, NUMBER w, NUMBER h, NUMBER pitch) {
  NUMBER i = get_global_id(0);
  if (i >= n) return;
  NUMBER x = i % w, c = i / (w * h);
  out[i] = in[c + x].yx;
}
kernel void ring(global const int* in, global int* out, NUMBER n, NUMBER w, NUMBER h, NUMBER pitch) {
  NUMBER i = get_global_id(0);
  if (i < n) out[i] = in[i % w];
}
kernel void of_channels(global const int* in, global int* out, NUMBER n, NUMBER w, NUMBER h, NUMBER pitch) {
  NUMBER i = get_global_id(0);
  if (i >= n) return;
  NUMBER x = i % w, c = i / (w * h) % 3;
  int sum = in[c * 9 + 4];
  if (x != 0) sum += in[c * 9 + 3];
  if (x + 1 < w) sum += 10 * in[c * 9 + 5];
  for (NUMBER k = 0; k < h; ++k) sum = sum * 3 + in[c * 9 + k * 2];
  out[i] = sum;
}
kernel void of_bytes(global const int* in, global int* out, NUMBER n, NUMBER w, NUMBER h, NUMBER pitch) {
  NUMBER i = get_global_id(0);
  if (i < n) out[i] = ((global const char*)in)[i / w % 5 * 7];
}
)";

TEST_F(Layers, OfAnyWidth) {
  constexpr int kLength = 1500, kPitch = 300;
  std::vector<cl_int> in(100000);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = cl_int(i * 7919 % 100003);
  const Mem buffer = session.upload(in);
  const auto bytes = reinterpret_cast<const signed char*>(in.data());
  for (const std::string number : {"int", "uint", "long"}) {
    const Program program = session.build(kSource, "-DNUMBER=" + number);
    for (const cl_long w : {7, 14, 28, 33, 56, 100, 112, 257})
      for (const cl_long n : {kLength, 1024})
        for (const std::size_t local : {32u, 50u, 64u, 250u}) {
          SCOPED_TRACE(number + " " + std::to_string(w) + " in " + std::to_string(local));
          const cl_long h = 5, pitch = kPitch;
          for (const std::string name : {"crop", "pair", "ring", "of_channels", "of_bytes"}) {
            SCOPED_TRACE(name);
            const bool is_pair = name == "pair";
            std::vector<cl_int> expected(kLength * (is_pair ? 2 : 1), -1);
            for (cl_long i = 0; i < n; ++i) {
              const cl_long x = i % w, y = i / w % h, c = i / (w * h);
              const auto at = [&](cl_long place) { return in[static_cast<std::size_t>(place)]; };
              cl_int& own = expected[static_cast<std::size_t>(is_pair ? 2 * i : i)];
              if (name == "crop") own = at((c * (h + 1) + y + 1) * pitch + x + 1);
              if (is_pair) (&own)[0] = at(2 * (c + x) + 1), (&own)[1] = at(2 * (c + x));
              if (name == "ring") own = at(x);
              if (name == "of_bytes") own = bytes[i / w % 5 * 7];
              if (name != "of_channels") continue;
              const cl_long from = c % 3 * 9;
              cl_uint sum = cl_uint(at(from + 4));
              if (x != 0) sum += cl_uint(at(from + 3));
              if (x + 1 < w) sum += 10 * cl_uint(at(from + 5));
              for (cl_long k = 0; k < h; ++k) sum = sum * 3 + cl_uint(at(from + 2 * k));
              own = cl_int(sum);
            }
            const Kernel kernel = session.kernel(program, name.c_str());
            const Mem out = session.upload(std::vector<cl_int>(expected.size(), -1));
            const Range range{{(kLength + local - 1) / local * local}, {local}};
            if (number == "long")
              session.launch(kernel, range, buffer, out, n, w, h, pitch);
            else
              session.launch(kernel, range, buffer, out, cl_int(n), cl_int(w), cl_int(h), cl_int(pitch));
            ASSERT_EQ(session.download<cl_int>(out, expected.size()), expected);
          }
        }
  }
}

}  // namespace
}  // namespace weft::conformance
