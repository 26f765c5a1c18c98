// Functions of hundreds of branches that differ from lane to lane: made by programs, or what is left of large ones once inlined.
#include <algorithm>
#include <bit>
#include <string>

#include "api/per_item.h"

namespace weft::conformance {
namespace {

using LargeFunctions = PerItemTest;

constexpr char kHead[] = "kernel void k(global const int* in, global int* out) { int i = get_global_id(0); int v = in[i];";

constexpr int kMany = 400;
constexpr int kLabels = 100;

cl_int case_of(cl_uint v, int number) {
  return static_cast<cl_int>(v * static_cast<cl_uint>(number * 7 + 3) + static_cast<cl_uint>(number % 13));
}
std::string case_text(int number) {
  return "v * " + std::to_string(number * 7 + 3) + "u + " + std::to_string(number % 13);
}

TEST_F(LargeFunctions, SwitchOfManyCases) {
  std::string source = std::string(kHead) + "switch (v + 100) {";
  for (int i = 0; i < kMany; ++i) source += "case " + std::to_string(i) + ": v = " + case_text(i) + "; break;";
  expect_items(source + "default: v = -1; } out[i] = v; }", [](cl_int v, int) {
    const cl_int number = static_cast<cl_int>(static_cast<cl_uint>(v) + 100);
    return number >= 0 && number < kMany ? case_of(static_cast<cl_uint>(v), number) : -1;
  });
}

TEST_F(LargeFunctions, ManyElseIfs) {
  std::string source = std::string(kHead) + "int w = v & 1023;";
  for (int i = 0; i < kMany; ++i)
    source += "if (w " + std::string(i % 3 ? "==" : "<") + std::to_string(i) + ") v = " + case_text(i) + "; else ";
  expect_items(source + "v = 7; out[i] = v; }", [](cl_int v, int) {
    const cl_int w = v & 1023;
    for (int i = 0; i < kMany; ++i)
      if (i % 3 ? w == i : w < i) return case_of(static_cast<cl_uint>(v), i);
    return 7;
  });
}

/// Labels 0 to kLabels - 1, each with a conditional jump.
std::string labels(int (*target)(int label)) {
  std::string source = std::string(kHead) + "uint s = v; int n = 0;";
  for (int i = 0; i < kLabels; ++i)
    source += "L" + std::to_string(i) + ": s = s * 5u + " + std::to_string(i) + "; if (++n < 300 && (s >> 8) % " + std::to_string(i % 7 + 2) +
              " == 1) goto L" + std::to_string(target(i)) + ";";
  return source + "out[i] = s; }";
}

cl_int follow(cl_uint s, int (*target)(int label)) {
  int n = 0;
  for (int label = 0; label < kLabels;) {
    s = s * 5u + static_cast<cl_uint>(label);
    label = ++n < 300 && (s >> 8) % static_cast<cl_uint>(label % 7 + 2) == 1 ? target(label) : label + 1;
  }
  return static_cast<cl_int>(s);
}

TEST_F(LargeFunctions, ManyGotosForward) {
  const auto target = [](int label) { return std::min(kLabels - 1, label + 1 + label * 7 % 5); };
  expect_items(labels(target), [&](cl_int v, int) { return follow(static_cast<cl_uint>(v), target); });
}

TEST_F(LargeFunctions, ManyGotosToAnyLabel) {
  const auto target = [](int label) { return (label * 37 + 11) % kLabels; };
  expect_items(labels(target), [&](cl_int v, int) { return follow(static_cast<cl_uint>(v), target); });
}

/// `rounds` of a hash into private memory, called often: hundreds of thousands of instructions, were all calls inlined.
class LargeFunctionCalledOften : public PerItemTest, public testing::WithParamInterface<bool> {};

// By a loop, whose calls the first code has for all lanes at once, and by none.
TEST_P(LargeFunctionCalledOften, HasTheSameResults) {
  const bool loops = GetParam();
  constexpr int kRounds = 150, kCalls = 90;
  std::string source = "void mix(uint* s, const uint* w, uint n) {";
  for (int i = 0; i < kRounds; ++i) {
    const std::string a = std::to_string(i % 4), b = std::to_string((i + 1) % 4);
    source += "s[" + a + "] = rotate(s[" + a + "] + (s[" + b + "] ^ w[n + " + std::to_string(i % 3) + "]) * " + std::to_string(2 * i + 3) + "u, " +
              std::to_string(i % 31 + 1) + "u);";
  }
  source += "}" + std::string(kHead) + "uint s[4] = {v, 1, 2, 3}; uint w[8]; for (int j = 0; j < 8; ++j) w[j] = v * j;";
  if (loops) source += "for (int turn = -1; turn < (v & 3); ++turn) {";
  for (int i = 0; i < kCalls; ++i)
    source += i % 9 == 0 ? "if (s[0] & 1) mix(s, w, s[1] & 3);" : "mix(s, w, " + std::to_string(i % 5) + ");";
  if (loops) source += "}";
  expect_items(source + "out[i] = s[0] ^ s[3]; }", [&](cl_int v, int) {
    cl_uint s[4] = {static_cast<cl_uint>(v), 1, 2, 3};
    cl_uint w[8];
    for (cl_uint j = 0; j < 8; ++j) w[j] = static_cast<cl_uint>(v) * j;
    const auto mix = [&](cl_uint n) {
      for (int i = 0; i < kRounds; ++i) {
        const cl_uint x = s[i % 4] + (s[(i + 1) % 4] ^ w[n + static_cast<cl_uint>(i % 3)]) * static_cast<cl_uint>(2 * i + 3);
        const int by = i % 31 + 1;
        s[i % 4] = x << by | x >> (32 - by);
      }
    };
    for (int turn = loops ? -1 : (v & 3) - 1; turn < (v & 3); ++turn)
      for (int i = 0; i < kCalls; ++i) {
        if (i % 9 != 0) mix(static_cast<cl_uint>(i % 5));
        else if (s[0] & 1) mix(s[1] & 3);
      }
    return static_cast<cl_int>(s[0] ^ s[3]);
  });
}

INSTANTIATE_TEST_SUITE_P(Loops, LargeFunctionCalledOften, testing::Bool());

TEST_F(LargeFunctions, FunctionsThatCallEachOtherOften) {
  WEFT_ONLY("others inline all of a million instructions");
  std::string source =
      "void f0(global int* out, int v) { size_t i = get_group_id(0) * get_local_size(0) + get_local_id(0); uint a = out[get_global_id(0)];"
      " a = rotate(a, (uint)v & 31u) * 5u + v; a ^= (a >> 9) + (a >> 3); if (a & 1) a += (uint)i * 3u; else a -= v; out[i] = a * 7u + (a >> 1);"
      " if ((a & 6) == 0) atomic_add(out + i, 3); }";
  for (int f = 1; f <= 5; ++f) {
    const std::string inner = "f" + std::to_string(f - 1) + "(out, v + ";
    source += "void f" + std::to_string(f) + "(global int* out, int v) {";
    for (int call = 0; call < 8; ++call) source += inner + std::to_string(call * f) + ");";
    source += "}";
  }
  expect_items(source + kHead + "out[i] = v; if (v & 3) f5(out, v); }", [](cl_int v, int item) {
    auto word = static_cast<cl_uint>(v);
    const auto f0 = [&](cl_uint x) {
      cl_uint a = std::rotl(word, static_cast<int>(x & 31)) * 5u + x;
      a ^= (a >> 9) + (a >> 3);
      a += a & 1 ? static_cast<cl_uint>(item) * 3u : 0u - x;
      word = a * 7u + (a >> 1);
      if ((a & 6) == 0) word += 3;
    };
    if (v & 3)
      for (cl_uint n = 0; n < 8 * 8 * 8 * 8 * 8; ++n) {
        cl_uint x = static_cast<cl_uint>(v);
        for (cl_uint f = 1; f <= 5; ++f) x += (n >> (3 * (f - 1)) & 7) * f;
        f0(x);
      }
    return static_cast<cl_int>(word);
  });
}

TEST_F(LargeFunctions, DeeplyNestedLoops) {
  std::string source = std::string(kHead) + "int c = 0;";
  for (int i = 0; i < 40; ++i) {
    const std::string name = "i" + std::to_string(i);
    source += "for (int " + name + " = 0; " + name + " < " + (i % 8 == 0 ? "(v & 1) + 1" : "1 + (v >> 31 & 0)") + "; ++" + name + ") {";
  }
  expect_items(source + "++c;" + std::string(40, '}') + "out[i] = c; }", [](cl_int v, int) { return v & 1 ? 32 : 1; });
}

}  // namespace
}  // namespace weft::conformance
