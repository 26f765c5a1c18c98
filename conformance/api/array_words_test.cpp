// Private arrays of words that bytes at any place fill and rounds name by constants, in loops and in blocks (compiler/simt/item/loop_elements.h).
#include <bit>
#include <cstring>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class ArrayWords : public ApiTest {};

constexpr int kItems = 160, kBytes = 24;

std::vector<cl_uchar> bytes() {
  std::vector<cl_uchar> some(kItems * kBytes);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = static_cast<cl_uchar>(i * 73 + i / 7);
  return some;
}

cl_uint rotated(cl_uint x, int by) { return std::rotl(x, by); }

/// A hash of an item's words and of what it makes of them, in `rounds` rounds of 64 steps; a byte is stored before each round or before all.
cl_uint hash(const cl_uchar* in, int item, int rounds, bool each_round) {
  cl_uint w[16] = {}, h = static_cast<cl_uint>(item);
  const auto store = [&](int r) { reinterpret_cast<cl_uchar*>(w)[in[r] & 63] = static_cast<cl_uchar>(r + 1); };
  if (!each_round)
    for (int i = 0; i < kBytes; ++i) store(i);
  for (int r = 0; r < rounds; ++r) {
    if (each_round) store(r);
    for (int k = 0; k < 64; ++k) {
      w[k & 15] = rotated(w[k & 15] ^ w[(k + 2) & 15] ^ w[(k + 8) & 15] ^ w[(k + 13) & 15], 1) + h;
      h ^= w[k & 15];
    }
  }
  return h + reinterpret_cast<cl_uchar*>(w)[in[0] & 63];
}

TEST_F(ArrayWords, FilledByBytes) {
  const Program program = session.build(R"(
#define ROUND(k) w[(k) & 15] = rotate(w[(k) & 15] ^ w[((k) + 2) & 15] ^ w[((k) + 8) & 15] ^ w[((k) + 13) & 15], 1u) + h; h ^= w[(k) & 15];
#define EIGHT(k) ROUND(k) ROUND(k + 1) ROUND(k + 2) ROUND(k + 3) ROUND(k + 4) ROUND(k + 5) ROUND(k + 6) ROUND(k + 7)
#define ALL EIGHT(0) EIGHT(8) EIGHT(16) EIGHT(24) EIGHT(32) EIGHT(40) EIGHT(48) EIGHT(56)
#define BEGIN const int item = get_global_id(0); in += item * 24; uint w[16] = {0}, h = item; uchar* bytes = (uchar*)w;
#define END out[item] = h + bytes[in[0] & 63];
kernel void before(global const uchar* in, global uint* out, int rounds) {
  BEGIN
  for (int i = 0; i < 24; ++i) bytes[in[i] & 63] = i + 1;
  for (int r = 0; r < rounds; ++r) { ALL }
  END
}
kernel void between(global const uchar* in, global uint* out, int rounds) {
  BEGIN
  for (int r = 0; r < rounds; ++r) {
    bytes[in[r] & 63] = r + 1;
    ALL
  }
  END
}
// As many rounds as each item's own bytes say.
kernel void divergent(global const uchar* in, global uint* out, int rounds) {
  BEGIN
  rounds = in[1] % (rounds + 1);
  for (int i = 0; i < 24; ++i) bytes[in[i] & 63] = i + 1;
  for (int r = 0; r < rounds; ++r) { ALL }
  END
}
)");
  const std::vector<cl_uchar> in = bytes();
  const Mem buffer = session.upload(in);
  for (const char* name : {"before", "between", "divergent"})
    for (const cl_int rounds : {0, 1, 20}) {
      SCOPED_TRACE(std::string(name) + ", " + std::to_string(rounds));
      const Mem out = session.upload(std::vector<cl_uint>(kItems));
      session.launch(session.kernel(program, name), {{kItems}, {32}}, buffer, out, rounds);
      const auto got = session.download<cl_uint>(out, kItems);
      for (int i = 0; i < kItems; ++i) {
        const cl_uchar* mine = in.data() + i * kBytes;
        const bool is_divergent = std::string(name) == "divergent";
        ASSERT_EQ(got[i], hash(mine, i, is_divergent ? mine[1] % (rounds + 1) : rounds, std::string(name) == "between")) << i;
      }
    }
}

// Floats in place of words, words of two floats, and a place past the array's end that nothing reaches.
TEST_F(ArrayWords, OfSeveralTypes) {
  const Program program = session.build(R"(
kernel void types(global const uchar* in, global uint* out, int n) {
  const int item = get_global_id(0);
  union { uint w[8]; float f[8]; ulong l[4]; uchar b[32]; } u;
  for (int i = 0; i < 8; ++i) u.w[i] = i + item;
  for (int r = 0; r < n; ++r) {
    u.b[in[item + r] & 31] = r;
    u.w[0] += u.w[1]; u.w[1] ^= u.w[2]; u.w[2] += u.w[3]; u.w[3] ^= u.w[0]; u.w[0] += 3; u.w[1] += u.w[0]; u.w[2] += u.w[1]; u.w[3] += u.w[2];
    u.l[1] += u.l[0]; u.w[2] ^= 5; u.l[0] ^= u.l[1]; u.w[1] += u.w[3]; u.w[0] ^= u.w[1]; u.w[3] += u.w[0]; u.w[2] += u.w[3];
    u.f[5] = (float)(r & 7); u.f[6] = u.f[5] + 1.0f; u.f[7] = u.f[6] * u.f[5]; u.w[4] += u.w[7]; u.w[5] ^= u.w[4]; u.w[6] += u.w[5];
    if (n < 0) u.w[r] = u.w[8 + r];
  }
  uint h = 0;
  for (int i = 0; i < 8; ++i) h = h * 31 + u.w[i];
  out[item] = h;
}
)");
  const std::vector<cl_uchar> in = bytes();
  constexpr cl_int kRounds = 30;
  const Mem out = session.upload(std::vector<cl_uint>(kItems));
  session.launch(session.kernel(program, "types"), {{kItems}, {32}}, session.upload(in), out, kRounds);
  const auto got = session.download<cl_uint>(out, kItems);
  for (int item = 0; item < kItems; ++item) {
    unsigned char b[32];
    const auto get = [&](int i) { cl_uint x; std::memcpy(&x, b + 4 * i, 4); return x; };
    const auto set = [&](int i, cl_uint x) { std::memcpy(b + 4 * i, &x, 4); };
    const auto get_long = [&](int i) { cl_ulong x; std::memcpy(&x, b + 8 * i, 8); return x; };
    const auto set_long = [&](int i, cl_ulong x) { std::memcpy(b + 8 * i, &x, 8); };
    for (int i = 0; i < 8; ++i) set(i, static_cast<cl_uint>(i + item));
    for (int r = 0; r < kRounds; ++r) {
      b[in[static_cast<std::size_t>(item + r)] & 31] = static_cast<unsigned char>(r);
      set(0, get(0) + get(1)); set(1, get(1) ^ get(2)); set(2, get(2) + get(3)); set(3, get(3) ^ get(0));
      set(0, get(0) + 3); set(1, get(1) + get(0)); set(2, get(2) + get(1)); set(3, get(3) + get(2));
      set_long(1, get_long(1) + get_long(0)); set(2, get(2) ^ 5); set_long(0, get_long(0) ^ get_long(1));
      set(1, get(1) + get(3)); set(0, get(0) ^ get(1)); set(3, get(3) + get(0)); set(2, get(2) + get(3));
      const auto five = static_cast<float>(r & 7);
      set(5, std::bit_cast<cl_uint>(five)); set(6, std::bit_cast<cl_uint>(five + 1)); set(7, std::bit_cast<cl_uint>((five + 1) * five));
      set(4, get(4) + get(7)); set(5, get(5) ^ get(4)); set(6, get(6) + get(5));
    }
    cl_uint h = 0;
    for (int i = 0; i < 8; ++i) h = h * 31 + get(i);
    ASSERT_EQ(got[static_cast<std::size_t>(item)], h) << item;
  }
}

}  // namespace
}  // namespace weft::conformance
