// Barriers wherever the specification allows them (OpenCL C 3.0 §6.15.8): the work-items of a group meet
// there, and all that is live across one survives.
#include "api/sub_group_sizes.h"

#include <algorithm>
#include <array>

namespace weft::conformance {
namespace {

// `k(global const int* in, global int* out, local int* t)` with groups of several sizes, checked as whole
// groups: host(group's input, group's output).
class Barrier : public ApiTest {
 protected:
  using Ints = std::vector<cl_int>;
  template <typename Host>
  void expect_groups(const std::string& body, Host host,
                     const std::vector<std::size_t>& locals = {64, 1, 33, 100, 256}) {
    const Program program =
        session.build(prelude_ +
                      "kernel void k(global const int* in, global int* out, local int* t) {"
                      " int g = get_global_id(0); int l = get_local_id(0); int n = get_local_size(0);"
                      " int w = get_group_id(0); (void)w; " +
                      body + " }");
    const Kernel kernel = session.kernel(program, "k");
    for (std::size_t local : locals) {
      constexpr std::size_t kGroups = 5;
      Ints in(local * kGroups);
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = cl_int(i * 37 % 101);
      const Mem from = session.upload(in);
      const Mem to = session.upload(Ints(in.size(), -99));
      session.launch(kernel, {{in.size()}, {local}}, from, to, LocalBytes{(local + 1) * 8});
      const Ints got = session.download<cl_int>(to, in.size());
      for (std::size_t w = 0; w < kGroups; ++w) {
        const Ints group(in.begin() + w * local, in.begin() + (w + 1) * local);
        Ints want(local, -99);
        host(group, want, int(w));
        for (std::size_t l = 0; l < local; ++l)
          ASSERT_EQ(got[w * local + l], want[l]) << "item " << l << " of group " << w << " of " << local;
      }
    }
  }
  std::string prelude_;
};

#define SYNC "barrier(CLK_LOCAL_MEM_FENCE); "

TEST_F(Barrier, NeighbourExchange) {
  expect_groups("int mine = in[g]; t[l] = mine; " SYNC "out[g] = t[(l + 1) % n] * 2 + mine;",
                [](const Ints& in, Ints& out, int) {
                  for (std::size_t l = 0; l < in.size(); ++l) out[l] = in[(l + 1) % in.size()] * 2 + in[l];
                });
}

TEST_F(Barrier, ReductionTree) {
  expect_groups("t[l] = in[g]; for (int s = n / 2; s > 0; s >>= 1) { " SYNC
                "if (l < s) t[l] += t[l + s]; } " SYNC "out[g] = t[0];",
                [](const Ints& in, Ints& out, int) {
                  Ints t = in;
                  for (int s = int(in.size()) / 2; s > 0; s >>= 1)
                    for (int l = 0; l < s; ++l) t[l] += t[l + s];
                  out.assign(in.size(), t[0]);
                });
}

TEST_F(Barrier, InALoopWithValuesAcross) {
  expect_groups("int acc = l; float f = l * 0.5f; for (int j = 0; j < 6; ++j) { t[l] = acc + j; " SYNC
                "int other = t[n - 1 - l]; " SYNC
                "acc = acc * 3 + other; f += 1.0f; } out[g] = acc + (int)(2.0f * f);",
                [](const Ints& in, Ints& out, int) {
                  const std::size_t n = in.size();
                  std::vector<cl_uint> acc(n), t(n);
                  for (std::size_t l = 0; l < n; ++l) acc[l] = cl_uint(l);
                  for (cl_uint j = 0; j < 6; ++j) {
                    for (std::size_t l = 0; l < n; ++l) t[l] = acc[l] + j;
                    for (std::size_t l = 0; l < n; ++l) acc[l] = acc[l] * 3 + t[n - 1 - l];
                  }
                  for (std::size_t l = 0; l < n; ++l) out[l] = cl_int(acc[l] + cl_uint(l) + 12);
                });
}

TEST_F(Barrier, NestedLoops) {
  expect_groups("int s = 0; for (int a = 0; a < 3; ++a) { t[l] = s + l; " SYNC
                "for (int b = 0; b <= a; ++b) { int x = t[(l + b) % n]; " SYNC "t[l] = x + 1; " SYNC
                "s += x; } } out[g] = s;",
                [](const Ints& in, Ints& out, int) {
                  const int n = int(in.size());
                  Ints s(n, 0), t(n), x(n);
                  for (int a = 0; a < 3; ++a) {
                    for (int l = 0; l < n; ++l) t[l] = s[l] + l;
                    for (int b = 0; b <= a; ++b) {
                      for (int l = 0; l < n; ++l) x[l] = t[(l + b) % n];
                      for (int l = 0; l < n; ++l) t[l] = x[l] + 1, s[l] += x[l];
                    }
                  }
                  out = s;
                });
}

TEST_F(Barrier, InAUniformConditional) {
  expect_groups("int r = l; t[l] = l * 2; if (w & 1) { " SYNC "r = t[n - 1 - l]; if (w & 2) { " SYNC
                "t[l] = r + 1; " SYNC "r += t[(l + 1) % n]; } } out[g] = r;",
                [](const Ints& in, Ints& out, int w) {
                  const int n = int(in.size());
                  for (int l = 0; l < n; ++l) out[l] = w & 1 ? 2 * (n - 1 - l) : l;
                  if ((w & 3) == 3) {
                    const Ints r = out;
                    for (int l = 0; l < n; ++l) out[l] = r[l] + r[(l + 1) % n] + 1;
                  }
                });
}

TEST_F(Barrier, InBothArms) {
  expect_groups("t[l] = in[g]; int r; if (w % 3 == 0) { " SYNC "r = t[0]; } else { t[l] += 5; " SYNC
                "r = t[n - 1]; } out[g] = r + l;",
                [](const Ints& in, Ints& out, int w) {
                  for (std::size_t l = 0; l < in.size(); ++l)
                    out[l] = (w % 3 == 0 ? in[0] : in.back() + 5) + int(l);
                });
}

TEST_F(Barrier, InCalledFunctions) {
  prelude_ =
      "int exchange(local int* t, int v, int l, int n) { t[l] = v; barrier(CLK_LOCAL_MEM_FENCE); int r = t[n "
      "- 1 - l];"
      " barrier(CLK_LOCAL_MEM_FENCE); return r; }\n"
      "int twice(local int* t, int v, int l, int n) { int a = exchange(t, v, l, n); return exchange(t, a + "
      "l, l, n) + v; }\n";
  expect_groups("int s = 0; for (int j = 0; j < 2; ++j) s = s * 2 + twice(t, in[g] + j, l, n); out[g] = s;",
                [](const Ints& in, Ints& out, int) {
                  const int n = int(in.size());
                  out.assign(n, 0);
                  for (int j = 0; j < 2; ++j)
                    for (int l = 0; l < n; ++l) {
                      const int v = in[l] + j;
                      const int back = in[l] + j + (n - 1 - l);
                      out[l] = out[l] * 2 + back + v;
                    }
                });
}

/// So many that the kernel is cut between them, lest the code behind the last be in each one's region.
TEST_F(Barrier, ManyUnderConditions) {
  NOT_ON_POCL("copies what follows each barrier for both ways, and does not end");
  std::string body = "uint a = in[g]; t[l] = a; " SYNC;
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    body += "if ((w * 0x5b5 >> " + n + ") & 1) { " SYNC "t[l] = a + " + n + "; " SYNC "} a ^= t[(l + " + n + ") % n]; "
            "for (int j = 0; j < 40; ++j) a = (a * (j + 3)) ^ ((a >> (j & 7)) & 0xff); ";
  }
  expect_groups(body + "out[g] = a;", [](const Ints& in, Ints& out, int w) {
    const std::size_t n = in.size();
    std::vector<std::uint32_t> a(in.begin(), in.end()), t = a;
    for (std::size_t i = 0; i < 12; ++i) {
      if ((w * 0x5b5 >> i) & 1)
        for (std::size_t l = 0; l < n; ++l) t[l] = a[l] + static_cast<std::uint32_t>(i);
      for (std::size_t l = 0; l < n; ++l) {
        a[l] ^= t[(l + i) % n];
        for (std::uint32_t j = 0; j < 40; ++j) a[l] = (a[l] * (j + 3)) ^ ((a[l] >> (j & 7)) & 0xff);
      }
    }
    out.assign(a.begin(), a.end());
  });
}

TEST_F(Barrier, SeveralExits) {
  expect_groups("t[l] = in[g]; " SYNC "if (w == 1) { out[g] = t[0]; return; } " SYNC
                "if (t[0] % 2 == 0) { out[g] = -1; return; } " SYNC "out[g] = t[n - 1];",
                [](const Ints& in, Ints& out, int w) {
                  out.assign(in.size(), w == 1 ? in[0] : in[0] % 2 == 0 ? -1 : in.back());
                });
}

TEST_F(Barrier, LoopLeftFromTheMiddle) {
  expect_groups("int j = 0; t[l] = l; for (;;) { " SYNC "if (t[0] + j >= 4) break; " SYNC
                "if (j == w) { out[g] = 1000 + j; return; } "
                "++j; } out[g] = j;",
                [](const Ints& in, Ints& out, int w) { out.assign(in.size(), w < 4 ? 1000 + w : 4); });
}

// Between two barriers lanes go their own ways.
TEST_F(Barrier, DivergenceBetween) {
  expect_groups(
      "int r = in[g]; if (l % 3 == 0) { for (int j = 0; j < (l & 7); ++j) r += j; } else if (l % 3 == 1) r = "
      "-r; t[l] = r; " SYNC "int o = t[(l + n / 2) % n]; if (o > 10) o = o % 10; " SYNC "t[l] = o; " SYNC
      "out[g] = t[n - 1 - l] + r;",
      [](const Ints& in, Ints& out, int) {
        const int n = int(in.size());
        Ints r = in, o(n);
        for (int l = 0; l < n; ++l) {
          if (l % 3 == 0)
            for (int j = 0; j < (l & 7); ++j) r[l] += j;
          else if (l % 3 == 1)
            r[l] = -r[l];
        }
        for (int l = 0; l < n; ++l) {
          o[l] = r[(l + n / 2) % n];
          if (o[l] > 10) o[l] %= 10;
        }
        for (int l = 0; l < n; ++l) out[l] = o[n - 1 - l] + r[l];
      });
}

TEST_F(Barrier, PrivateArraysLiveAcross) {
  expect_groups("int a[6]; for (int j = 0; j < 6; ++j) a[j] = in[g] + j * l; t[l] = a[l % 6]; " SYNC
                "a[t[(l + 1) % n] & 3] = 77; " SYNC
                "int s = 0; for (int j = 0; j < 6; ++j) s = s * 5 + a[j]; out[g] = s;",
                [](const Ints& in, Ints& out, int) {
                  const int n = int(in.size());
                  const auto a = [&](int l, int j) { return in[l] + j * l; };
                  for (int l = 0; l < n; ++l) {
                    const int m = (l + 1) % n;
                    const int hit = a(m, m % 6) & 3;
                    cl_uint s = 0;
                    for (int j = 0; j < 6; ++j) s = s * 5 + cl_uint(j == hit ? 77 : a(l, j));
                    out[l] = cl_int(s);
                  }
                });
}

TEST_F(Barrier, FirstAndLastStatement) {
  expect_groups(SYNC "out[g] = in[g] + 1; " SYNC, [](const Ints& in, Ints& out, int) {
    for (std::size_t l = 0; l < in.size(); ++l) out[l] = in[l] + 1;
  });
}

TEST_F(Barrier, GlobalFence) {
  expect_groups(
      "out[g] = in[g]; barrier(CLK_GLOBAL_MEM_FENCE); int o = out[g - l + (l + 1) % n]; "
      "barrier(CLK_GLOBAL_MEM_FENCE);"
      " out[g] = o;",
      [](const Ints& in, Ints& out, int) {
        for (std::size_t l = 0; l < in.size(); ++l) out[l] = in[(l + 1) % in.size()];
      });
}

TEST_F(Barrier, TwoDimensionalTiles) {
  const Program program = session.build(
      "kernel void k(global const int* in, global int* out) { local int t[8][9]; int x = get_local_id(0), y "
      "= get_local_id(1);"
      " int gx = get_global_id(0), gy = get_global_id(1), w = get_global_size(0); t[y][x] = in[gy * w + gx];"
      " barrier(CLK_LOCAL_MEM_FENCE); out[gy * w + gx] = t[x][y]; }");
  const auto in = iota<cl_int>(32 * 16);
  const Mem from = session.upload(in);
  const Mem to = session.buffer(in.size() * 4);
  session.launch(session.kernel(program, "k"), {{32, 16}, {8, 8}}, from, to);
  const auto got = session.download<cl_int>(to, in.size());
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 32; ++x)
      ASSERT_EQ(got[y * 32 + x], (y / 8 * 8 + x % 8) * 32 + x / 8 * 8 + y % 8) << x << ',' << y;
}

TEST_F(Barrier, AsyncCopies) {
  const Program program = session.build(
      "kernel void k(global const int* in, global int* out, local int* t) { int l = get_local_id(0), n = "
      "get_local_size(0);"
      " int base = get_group_id(0) * n; event_t e = async_work_group_copy(t, in + base, n, 0); "
      "wait_group_events(1, &e);"
      " t[l] += 5; barrier(CLK_LOCAL_MEM_FENCE); e = async_work_group_copy(out + base, t, n, 0); "
      "wait_group_events(1, &e); }");
  const auto in = iota<cl_int>(300);
  const Mem from = session.upload(in);
  const Mem to = session.buffer(1200);
  session.launch(session.kernel(program, "k"), {{300}, {60}}, from, to, LocalBytes{240});
  const auto got = session.download<cl_int>(to, 300);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(got[i], i + 5);
}

// ---- Work-items that return before a barrier which others reach: GPUs wait for nobody who has ended ----

constexpr char kUndefined[] = "undefined by the specification; others hang or answer wrongly";
const std::vector<std::size_t> kManySizes = {64, 1, 7, 33, 100, 256, 1024};

TEST_F(Barrier, SomeHaveReturned) {
  WEFT_ONLY(kUndefined);
  // Behind a bound, as at the edge of a picture: no work-items, single lanes, whole warps.
  expect_groups("t[l] = -1; " SYNC "if (l >= n - w * n / 5) return; t[l] = in[g]; " SYNC "int r = t[(l + n / 2) % n]; " SYNC
                "t[l] = r * 3; " SYNC "out[g] = t[n - 1 - l] + l;",
                [](const Ints& in, Ints& out, int w) {
                  const int n = int(in.size()), stay = n - w * n / 5;
                  Ints t(n, -1), r(n);
                  for (int l = 0; l < stay; ++l) t[l] = in[l];
                  for (int l = 0; l < stay; ++l) r[l] = t[(l + n / 2) % n];
                  for (int l = 0; l < stay; ++l) t[l] = r[l] * 3;
                  for (int l = 0; l < stay; ++l) out[l] = t[n - 1 - l] + l;
                },
                kManySizes);
  // By what each has read: any lanes of any warps, sometimes all.
  expect_groups("int v = in[g]; if (v % 3 == w % 3 || w == 4) { out[g] = -v; return; } t[l] = v; " SYNC "out[g] = t[l] + n;",
                [](const Ints& in, Ints& out, int w) {
                  for (std::size_t l = 0; l < in.size(); ++l)
                    out[l] = in[l] % 3 == w % 3 || w == 4 ? -in[l] : in[l] + int(in.size());
                },
                kManySizes);
}

TEST_F(Barrier, SomeReturnFromALoop) {
  WEFT_ONLY(kUndefined);
  expect_groups("int a[3] = {l, in[g], 7}; t[l] = in[g]; for (int j = 0; j < 5; ++j) { " SYNC
                "int o = t[(l + j) % n]; if (in[g] % 7 == j) { out[g] = o; return; } a[o % 3] += o; " SYNC
                "t[l] = a[j % 3] & 0xffff; if (j == w && (l / 32) % 2) return; } out[g] = a[0] + a[1] * 3 + a[2] * 5;",
                [](const Ints& in, Ints& out, int w) {
                  const int n = int(in.size());
                  Ints t = in, o(n);
                  std::vector<bool> ended(n);
                  std::vector<std::array<int, 3>> a(n);
                  for (int l = 0; l < n; ++l) a[l] = {l, in[l], 7};
                  for (int j = 0; j < 5; ++j) {
                    for (int l = 0; l < n; ++l) o[l] = t[(l + j) % n];
                    for (int l = 0; l < n; ++l) {
                      if (ended[l]) continue;
                      if (in[l] % 7 == j) {
                        out[l] = o[l];
                        ended[l] = true;
                        continue;
                      }
                      a[l][o[l] % 3] += o[l];
                      t[l] = a[l][j % 3] & 0xffff;
                      if (j == w && (l / 32) % 2) ended[l] = true;
                    }
                  }
                  for (int l = 0; l < n; ++l)
                    if (!ended[l]) out[l] = a[l][0] + a[l][1] * 3 + a[l][2] * 5;
                },
                kManySizes);
}

/// A work-item that goes round a barrier and ends waits for nobody either.
TEST_F(Barrier, SomeGoRoundTheLast) {
  WEFT_ONLY(kUndefined);
  prelude_ = "int pairs(local int* t, int v, int l, int n) { if (v % 2) return -v; t[l] = v; barrier(CLK_LOCAL_MEM_FENCE);"
             " return t[(l + 1) % n]; }\n";
  expect_groups("t[l] = 1000; " SYNC "int r = pairs(t, in[g], l, n); out[g] = r * 2;",
                [](const Ints& in, Ints& out, int) {
                  const std::size_t n = in.size();
                  for (std::size_t l = 0; l < n; ++l) {
                    const int next = in[(l + 1) % n];
                    out[l] = 2 * (in[l] % 2 ? -in[l] : next % 2 ? 1000 : next);
                  }
                },
                kManySizes);
}

/// So many barriers that the kernel is cut between them (ManyUnderConditions), but not where those end who have gone round some.
TEST_F(Barrier, SomeGoRoundMany) {
  WEFT_ONLY(kUndefined);
  std::string body = "uint a = in[g]; t[l] = a; " SYNC "if (in[g] % 5 != w) { ";
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    body += "if ((w * 0x5b5 >> " + n + ") & 1) { " SYNC "t[l] = a + " + n + "; " SYNC "} a ^= t[l]; "
            "for (int j = 0; j < 40; ++j) a = (a * (j + 3)) ^ ((a >> (j & 7)) & 0xff); ";
  }
  expect_groups(body + "} out[g] = a;", [](const Ints& in, Ints& out, int w) {
    const std::size_t n = in.size();
    std::vector<std::uint32_t> a(in.begin(), in.end()), t = a;
    for (std::size_t l = 0; l < n; ++l) {
      if (in[l] % 5 == w) continue;
      for (std::uint32_t i = 0; i < 12; ++i) {
        if ((w * 0x5b5 >> i) & 1) t[l] = a[l] + i;
        a[l] ^= t[l];
        for (std::uint32_t j = 0; j < 40; ++j) a[l] = (a[l] * (j + 3)) ^ ((a[l] >> (j & 7)) & 0xff);
      }
    }
    out.assign(a.begin(), a.end());
  });
}

TEST_F(Barrier, SubGroupsThatReturn) {
  WEFT_ONLY(kUndefined);
  for (const std::size_t size : required_sub_group_sizes(device)) {
    prelude_ = "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n" + requiring(size);
    const int lanes = size ? int(size) : 32;
    // Sub-groups that end as a whole, by a value that each has alike; then lanes, which a reduction no longer counts.
    expect_groups("t[l] = l; if (get_sub_group_id() % 3 == 1) return; " SYNC "int r = t[n - 1 - l]; if (r % 4 == 1) return; " SYNC
                  "out[g] = sub_group_reduce_add(1) + r;",
                  [&](const Ints& in, Ints& out, int) {
                    const int n = int(in.size());
                    const auto stays = [&](int l) { return l / lanes % 3 != 1 && (n - 1 - l) % 4 != 1; };
                    for (int l = 0; l < n; ++l) {
                      if (!stays(l)) continue;
                      out[l] = n - 1 - l;
                      for (int m = l / lanes * lanes; m < std::min(n, (l / lanes + 1) * lanes); ++m) out[l] += stays(m);
                    }
                  },
                  kManySizes);
  }
}

TEST_F(Barrier, SomeOfATileHaveReturned) {
  WEFT_ONLY(kUndefined);
  // As ffmpeg's deshake_opencl: an 8 by 8 group of a picture that it does not divide.
  const Program program = session.build(
      "kernel void k(global const int* in, global int* out, int w, int h) { local int t[8][9]; int x = get_local_id(0), y = "
      "get_local_id(1);"
      " int gx = get_global_id(0), gy = get_global_id(1); t[y][x] = -1; barrier(CLK_LOCAL_MEM_FENCE); if (gx >= w || gy >= h) return;"
      " t[y][x] = in[gy * w + gx]; barrier(CLK_LOCAL_MEM_FENCE); out[gy * w + gx] = t[7 - y][(x + 1) & 7]; }");
  constexpr int kWidth = 37, kHeight = 21;
  const auto in = iota<cl_int>(kWidth * kHeight);
  const Mem from = session.upload(in);
  const Mem to = session.buffer(in.size() * 4);
  session.launch(session.kernel(program, "k"), {{40, 24}, {8, 8}}, from, to, cl_int{kWidth}, cl_int{kHeight});
  const auto got = session.download<cl_int>(to, in.size());
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const int sx = x / 8 * 8 + (x + 1) % 8, sy = y / 8 * 8 + 7 - y % 8;
      ASSERT_EQ(got[y * kWidth + x], sx < kWidth && sy < kHeight ? in[sy * kWidth + sx] : -1) << x << ',' << y;
    }
}

}  // namespace
}  // namespace weft::conformance
