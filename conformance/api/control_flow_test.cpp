// Control flow that differs from lane to lane (OpenCL C 3.0 §6.11; DESIGN "Linearize divergent control
// flow").
#include "api/per_item.h"

namespace weft::conformance {
namespace {

using ControlFlow = PerItemTest;

#define KERNEL(body) \
  "kernel void k(global const int* in, global int* out) { int i = get_global_id(0); int v = in[i]; " body " }"

TEST_F(ControlFlow, IfElse) {
  expect_items(KERNEL("if (v > 0) out[i] = v * 2; else out[i] = v - 1;"),
               [](cl_int v, int) { return v > 0 ? cl_int(cl_uint(v) * 2) : v - 1; });
}

TEST_F(ControlFlow, IfWithoutElse) {
  expect_items(KERNEL("int r = 7; if (v & 1) { r = v ^ 3; if (v & 2) r += 5; } out[i] = r;"),
               [](cl_int v, int) {
                 int r = 7;
                 if (v & 1) {
                   r = v ^ 3;
                   if (v & 2) r = cl_int(cl_uint(r) + 5);
                 }
                 return r;
               });
}

TEST_F(ControlFlow, ShortCircuit) {
  expect_items(KERNEL("out[i] = (v > 10 && in[i ^ 0] < 90) || (v < -5 && v % 3 == 0) ? 1 : 2;"),
               [](cl_int v, int) { return (v > 10 && v < 90) || (v < -5 && v % 3 == 0) ? 1 : 2; });
}

// Branches within each other and behind each other, short enough for all lanes to run both sides.
TEST_F(ControlFlow, ShortBranchesWithinEachOther) {
  expect_items(KERNEL("int r = i; for (int k = 0; k < 8; ++k) if ((v > k) != (i % 9 > k) && v % (k + 2) < 2) r = r * 3 + k; out[i] = r;"),
               [](cl_int v, int i) {
                 int r = i;
                 for (int k = 0; k < 8; ++k)
                   if ((v > k) != (i % 9 > k) && v % (k + 2) < 2) r = r * 3 + k;
                 return r;
               });
  expect_items(KERNEL("int r = 1, s = 0; for (int k = 0; k < 5; ++k) if ((v ^ k) & 1) { if (v & 2) r += k; if (i & 4) s ^= r; } "
                      "out[i] = r * 8 + s;"),
               [](cl_int v, int i) {
                 int r = 1, s = 0;
                 for (int k = 0; k < 5; ++k)
                   if ((v ^ k) & 1) {
                     if (v & 2) r += k;
                     if (i & 4) s ^= r;
                   }
                 return r * 8 + s;
               });
  expect_items(KERNEL("int d = v & 3; int r = 5; if (d != 0) { int q = 60 / d; if (q > 20 + (i & 31)) r = q; } out[i] = r;"),
               [](cl_int v, int i) { return (v & 3) && 60 / (v & 3) > 20 + (i & 31) ? 60 / (v & 3) : 5; });
}

TEST_F(ControlFlow, ConditionalStoreKeepsOtherLanes) {
  expect_items(KERNEL("out[i] = 1; if (i % 5 == 0) out[i] = 2;"),
               [](cl_int, int i) { return i % 5 == 0 ? 2 : 1; });
}

TEST_F(ControlFlow, LoopOfLaneLength) {
  expect_items(KERNEL("int s = 0; for (int j = 0; j < (v & 15); ++j) s += j * i; out[i] = s;"),
               [](cl_int v, int i) {
                 int s = 0;
                 for (int j = 0; j < (v & 15); ++j) s += j * i;
                 return s;
               });
}

TEST_F(ControlFlow, WhileOfCollatz) {
  expect_items(
      KERNEL(
          "uint n = (uint)(v & 1023) + 1; int c = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; ++c; }"
          " out[i] = c;"),
      [](cl_int v, int) {
        cl_uint n = cl_uint(v & 1023) + 1;
        int c = 0;
        for (; n != 1; ++c) n = n & 1 ? 3 * n + 1 : n / 2;
        return c;
      });
}

TEST_F(ControlFlow, DoWhile) {
  expect_items(KERNEL("int n = v & 31; int c = 0; do { c += n; n -= 3; } while (n > 0); out[i] = c;"),
               [](cl_int v, int) {
                 int n = v & 31;
                 int c = 0;
                 do {
                   c += n;
                   n -= 3;
                 } while (n > 0);
                 return c;
               });
}

TEST_F(ControlFlow, BreakAndContinue) {
  expect_items(
      KERNEL("int s = 0; for (int j = 0; j < 20; ++j) { if (j == (v & 7)) continue; if (j > (i & 15)) break;"
             " s = s * 3 + j; } out[i] = s;"),
      [](cl_int v, int i) {
        cl_uint s = 0;
        for (int j = 0; j < 20; ++j) {
          if (j == (v & 7)) continue;
          if (j > (i & 15)) break;
          s = s * 3 + cl_uint(j);
        }
        return cl_int(s);
      });
}

TEST_F(ControlFlow, NestedLoopsWithInnerBreak) {
  expect_items(KERNEL("int s = 0; for (int a = 0; a < (v & 7); ++a) { for (int b = 0; ; ++b) { if (b > a + "
                      "(i & 3)) break;"
                      " if ((a ^ b) == 5) break; s += a * 10 + b; } if (s > 200) break; } out[i] = s;"),
               [](cl_int v, int i) {
                 int s = 0;
                 for (int a = 0; a < (v & 7); ++a) {
                   for (int b = 0;; ++b) {
                     if (b > a + (i & 3)) break;
                     if ((a ^ b) == 5) break;
                     s += a * 10 + b;
                   }
                   if (s > 200) break;
                 }
                 return s;
               });
}

TEST_F(ControlFlow, TwoExitsWithDifferentValues) {
  expect_items(KERNEL("int r; int j = 0; for (;;) { if (j * j > (v & 63)) { r = j; break; } if (j == (i & "
                      "7)) { r = 100 + j;"
                      " break; } ++j; } out[i] = r * 2 + j;"),
               [](cl_int v, int i) {
                 int r;
                 int j = 0;
                 for (;; ++j) {
                   if (j * j > (v & 63)) {
                     r = j;
                     break;
                   }
                   if (j == (i & 7)) {
                     r = 100 + j;
                     break;
                   }
                 }
                 return r * 2 + j;
               });
}

// A value of the last iteration of each lane must survive while other lanes go on.
TEST_F(ControlFlow, LiveOutOfADivergentLoop) {
  expect_items(
      KERNEL("int last = -1; int j = 0; while (j < (v & 15)) { last = j * 7 + i; ++j; } out[i] = last + j;"),
      [](cl_int v, int i) {
        int last = -1;
        int j = 0;
        for (; j < (v & 15); ++j) last = j * 7 + i;
        return last + j;
      });
}

// Uniform values of a loop that lanes leave at different times are not uniform outside.
TEST_F(ControlFlow, TemporalDivergence) {
  expect_items(KERNEL("int n = 0; for (;;) { ++n; if (n >= (v & 31)) break; } out[i] = n;"),
               [](cl_int v, int) { return std::max(1, v & 31); });
}

TEST_F(ControlFlow, EarlyReturn) {
  expect_items(KERNEL("out[i] = 3; if (v < 0) return; out[i] = 4; if (v & 1) return; out[i] = 5;"),
               [](cl_int v, int) { return v < 0   ? 3
                                          : v & 1 ? 4
                                                  : 5; });
}

TEST_F(ControlFlow, ReturnInsideLoops) {
  expect_items(KERNEL("for (int a = 0; a < 5; ++a) for (int b = 0; b < 5; ++b) { out[i] = a * 5 + b;"
                      " if (a * b == (v & 15)) return; } out[i] = 99;"),
               [](cl_int v, int) {
                 for (int a = 0; a < 5; ++a)
                   for (int b = 0; b < 5; ++b)
                     if (a * b == (v & 15)) return a * 5 + b;
                 return 99;
               });
}

TEST_F(ControlFlow, Switch) {
  expect_items(
      KERNEL(
          "int r = 0; switch (v & 15) { case 0: r = 1; case 1: r += 10; break; case 2: case 3: r = v; break;"
          " case 9: for (int j = 0; j < 4; ++j) r += j * i; break; case 14: out[i] = -5; return;"
          " default: r = -1; } out[i] = r;"),
      [](cl_int v, int i) {
        int r = 0;
        switch (v & 15) {
          case 0:
            r = 1;
            [[fallthrough]];
          case 1:
            r += 10;
            break;
          case 2:
          case 3:
            r = v;
            break;
          case 9:
            for (int j = 0; j < 4; ++j) r += j * i;
            break;
          case 14:
            return -5;
          default:
            r = -1;
        }
        return r;
      });
}

TEST_F(ControlFlow, SwitchFallingThroughInALoop) {
  expect_items(
      KERNEL("uint a = v, b = i; for (int n = 0; n < (i & 15); ++n) { switch (v & 7) { case 2: b *= (uint)v;"
             " case 4: a ^= 1u; } } out[i] = (int)(a + b);"),
      [](cl_int v, int i) {
        auto a = cl_uint(v);
        auto b = cl_uint(i);
        for (int n = 0; n < (i & 15); ++n) {
          if ((v & 7) == 2) b *= cl_uint(v);
          if ((v & 7) == 2 || (v & 7) == 4) a ^= 1u;
        }
        return cl_int(a + b);
      });
}

TEST_F(ControlFlow, SwitchFallingThroughIntoALoop) {
  expect_items(
      KERNEL(
          "int c = v ^ i; int n = 0; switch (v & 7) { case 3: c ^= 77; case 0: do { } while (++n < 6 && i);"
          " default: ; } out[i] = c ^ n;"),
      [](cl_int v, int i) {
        const int c = (v & 7) == 3 ? v ^ i ^ 77 : v ^ i;
        const int n = (v & 7) == 3 || (v & 7) == 0 ? (i ? 6 : 1) : 0;
        return c ^ n;
      });
}

TEST_F(ControlFlow, SwitchInALoop) {
  expect_items(
      KERNEL(
          "uint state = v & 3; int s = 0; for (int j = 0; j < 12; ++j) { switch (state) { case 0: state = 2;"
          " s += 1; continue; case 1: s += 10; state = 3; break; case 2: s += 100; state = (j & 1) ? 1 : 0; "
          "break;"
          " default: s ^= i; state = 0; } s += 1000; } out[i] = s;"),
      [](cl_int v, int i) {
        cl_uint state = v & 3;
        int s = 0;
        for (int j = 0; j < 12; ++j) {
          switch (state) {
            case 0:
              state = 2;
              s += 1;
              continue;
            case 1:
              s += 10;
              state = 3;
              break;
            case 2:
              s += 100;
              state = (j & 1) ? 1 : 0;
              break;
            default:
              s ^= i;
              state = 0;
          }
          s += 1000;
        }
        return s;
      });
}

TEST_F(ControlFlow, ForwardGoto) {
  expect_items(KERNEL("int r = 1; if (v < 0) goto low; r = 2; if (v & 1) goto end; r = 3; low: r *= 10; end: "
                      "out[i] = r;"),
               [](cl_int v, int) { return v < 0   ? 10
                                          : v & 1 ? 2
                                                  : 30; });
}

TEST_F(ControlFlow, BackwardGoto) {
  expect_items(
      KERNEL("int n = v & 15; int r = 0; again: r = r * 2 + 1; if (--n > 0) goto again; out[i] = r;"),
      [](cl_int v, int) {
        int n = v & 15;
        int r = 0;
        do r = r * 2 + 1;
        while (--n > 0);
        return r;
      });
}

// A loop with two entries: irreducible control flow.
TEST_F(ControlFlow, Irreducible) {
  expect_items(KERNEL("int n = v & 15; int r = 0; if (v & 16) goto second; first: r += 3; n -= 1;"
                      " second: r = r * 2 + (i & 3); n -= 2; if (n > 0) goto first; out[i] = r;"),
               [](cl_int v, int i) {
                 int n = v & 15;
                 int r = 0;
                 bool skip = v & 16;
                 do {
                   if (!skip) {
                     r += 3;
                     n -= 1;
                   }
                   skip = false;
                   r = r * 2 + (i & 3);
                   n -= 2;
                 } while (n > 0);
                 return r;
               });
}

TEST_F(ControlFlow, IrreducibleStateMachine) {
  expect_items(
      KERNEL("int n = 0; uint s = (uint)v; if (s & 1) goto b; a: s = s * 5u + 1u; if (++n > 9) goto done;"
             " if (s & 2) goto c; b: s ^= s >> 3; if (++n > 9) goto done; if (s & 4) goto a;"
             " c: s += 77u; if (++n > 9) goto done; if (s & 8) goto b; goto a; done: out[i] = (int)s;"),
      [](cl_int v, int) {
        int n = 0;
        auto s = cl_uint(v);
        int at = s & 1 ? 1 : 0;
        for (;;) {
          if (at == 0) {
            s = s * 5u + 1u;
            if (++n > 9) return cl_int(s);
            at = s & 2 ? 2 : 1;
          } else if (at == 1) {
            s ^= s >> 3;
            if (++n > 9) return cl_int(s);
            at = s & 4 ? 0 : 2;
          } else {
            s += 77u;
            if (++n > 9) return cl_int(s);
            at = s & 8 ? 1 : 0;
          }
        }
      });
}

TEST_F(ControlFlow, IrreducibleEnteredDivergently) {
  expect_items(KERNEL("int n = 0; int e = v >> 3; if ((v & 3) == 2) goto middle; top: e += (v & 1) ? i : 39;"
                      " middle: if (++n < 5 && (i ? i + 31 : v)) goto top; out[i] = e;"),
               [](cl_int v, int i) {
                 int n = 0;
                 int e = v >> 3;
                 for (bool skip = (v & 3) == 2;; skip = false) {
                   if (!skip) e += (v & 1) ? i : 39;
                   if (!(++n < 5 && (i ? i + 31 : v))) return e;
                 }
               });
}

// What must not run for lanes that are off: a division by zero, a load from nowhere.
TEST_F(ControlFlow, GuardedTraps) {
  expect_items(KERNEL("int d = v & 3; int r = -1; if (d != 0) r = 1000 / d; out[i] = r;"),
               [](cl_int v, int) { return (v & 3) ? 1000 / (v & 3) : -1; });
  expect_items(KERNEL("global const int* p = (v & 1) ? in + i : (global const int*)0; int r = 6; if (v & 1) "
                      "r = *p; out[i] = r;"),
               [](cl_int v, int) { return (v & 1) ? v : 6; });
}

TEST_F(ControlFlow, UniformBranchOnAnArgument) {
  const Program program = session.build(
      "kernel void k(global int* out, int mode, int n) { int i = get_global_id(0); int s = 0;"
      " if (mode == 0) s = i; else if (mode == 1) for (int j = 0; j < n; ++j) s += j; else { out[i] = -1; "
      "return; }"
      " out[i] = s; }");
  const Kernel kernel = session.kernel(program, "k");
  const Mem out = session.buffer(400);
  for (cl_int mode = 0; mode < 3; ++mode) {
    session.launch(kernel, {{100}, {50}}, out, mode, cl_int{10});
    EXPECT_EQ(session.download<cl_int>(out, 100)[77], mode == 0 ? 77 : mode == 1 ? 45 : -1);
  }
}

}  // namespace
}  // namespace weft::conformance
