// Atomics on 32-bit integers, global and local (OpenCL C 3.0 §6.15.12.7, the atomics of OpenCL C 1.x).
#include <algorithm>
#include <cstring>
#include <set>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Atomics : public ApiTest {
 protected:
  /// Runs `statement` on `a`, one item an execution, over `items`; returns `a` afterwards.
  std::vector<cl_int> run(const std::string& statement, std::vector<cl_int> a, std::size_t items,
                          std::size_t local) {
    const Mem memory = session.upload(a);
    const Mem old = session.buffer(items * 4);
    session.run(
        "kernel void k(global int* a, global int* old) { int i = get_global_id(0); " + statement + " }", "k",
        {{items}, {local}}, memory, old);
    old_ = session.download<cl_int>(old, items);
    return session.download<cl_int>(memory, a.size());
  }
  std::vector<cl_int> old_;
};

TEST_F(Atomics, AddToOneWord) {
  EXPECT_EQ(run("old[i] = atomic_add(&a[0], i);", {5}, 1000, 100)[0], 5 + 999 * 1000 / 2);
  EXPECT_EQ(run("old[i] = atomic_inc(&a[0]);", {0}, 999, 333)[0], 999);
  // Every execution saw another value.
  EXPECT_EQ(std::set<cl_int>(old_.begin(), old_.end()).size(), 999u);
  EXPECT_EQ(run("old[i] = atomic_sub(&a[0], 2);", {0}, 64, 64)[0], -128);
  EXPECT_EQ(run("old[i] = atomic_dec(&a[0]);", {0}, 50, 50)[0], -50);
}

TEST_F(Atomics, MinimumAndMaximum) {
  EXPECT_EQ(
      run("atomic_min(&a[i & 1], 10 - i); atomic_max(&a[2], i * 3); old[i] = 0;", {50, 50, -4}, 256, 64),
      (std::vector<cl_int>{-244, -245, 765}));
  EXPECT_EQ(run("atomic_max((global uint*)&a[0], (uint)(i - 5)); old[i] = 0;", {0}, 64, 64)[0], -1);
}

TEST_F(Atomics, BitOperations) {
  EXPECT_EQ(run("atomic_or(&a[0], 1 << (i & 31)); atomic_and(&a[1], ~(1 << (i & 15))); atomic_xor(&a[2], i); "
                "old[i] = 0;",
                {0, -1, 0}, 64, 32),
            (std::vector<cl_int>{-1, cl_int(0xffff0000), 0}));
}

TEST_F(Atomics, ExchangeKeepsEveryValue) {
  const auto a = run("old[i] = atomic_xchg(&a[0], i + 1);", {0}, 640, 64);
  std::vector<cl_int> all = old_;
  all.push_back(a[0]);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, iota<cl_int>(641));
}

TEST_F(Atomics, FloatExchange) {
  const Mem f = session.upload(std::vector<cl_float>{1.5f});
  const Mem out = session.buffer(4);
  session.run("kernel void k(global float* f, global float* out) { out[0] = atomic_xchg(f, 2.5f); }", "k",
              {{1}}, f, out);
  EXPECT_EQ(session.download<cl_float>(out, 1)[0], 1.5f);
  EXPECT_EQ(session.download<cl_float>(f, 1)[0], 2.5f);
}

TEST_F(Atomics, CompareExchangeLoop) {
  // The classic addition of floats by cmpxchg: each lane of a warp must get its turn.
  EXPECT_EQ(run("int seen = a[0]; int expected; do { expected = seen; seen = atomic_cmpxchg(&a[0], expected, "
                "expected + 3); }"
                " while (seen != expected); old[i] = seen;",
                {0}, 320, 64)[0],
            960);
}

TEST_F(Atomics, SumsOfFloatsByCompareExchange) {
  // Few places for many lanes, whole and partial warps, lanes that take no part; sums of small integers are exact in any order.
  for (const int places : {1, 3, 64})
    for (const std::size_t local : {32, 33, 100}) {
      const std::string at = "&a[i * 5 % " + std::to_string(places) + "]";
      std::vector<cl_int> want(places, 0);
      for (int i = 0; i < int(local) * 4; ++i)
        if (i % 7) want[i * 5 % places] += i;
      const std::string update = "if (i % 7) { uint seen; do { seen = as_uint(*p); } while (atomic_cmpxchg((volatile SPACE uint*)p, seen, "
                                 "as_uint(as_float(seen) + (float)i)) != seen); }";
      const auto in = [&](const std::string& space) {
        std::string text = update;
        text.replace(text.find("SPACE"), 5, space);
        return text;
      };
      const auto floats = run("volatile global float* p = (volatile global float*)" + at + "; old[i] = 0; " + in("global"),
                              std::vector<cl_int>(places, 0), local * 4, local);
      for (int k = 0; k < places; ++k) {
        cl_float sum;
        std::memcpy(&sum, &floats[k], 4);
        EXPECT_EQ(sum, want[k]) << places << " " << local;
      }
      const auto by_group = run("local float sums[64]; for (int k = get_local_id(0); k < 64; k += get_local_size(0)) sums[k] = 0;"
                                "barrier(CLK_LOCAL_MEM_FENCE); volatile local float* p = sums + i * 5 % " + std::to_string(places) + ";" + in("local") +
                                "barrier(CLK_LOCAL_MEM_FENCE); old[i] = 0; if (get_local_id(0) < " + std::to_string(places) + ")"
                                " atomic_add(&a[get_local_id(0)], (int)sums[get_local_id(0)]);",
                                std::vector<cl_int>(places, 0), local * 4, local);
      if (places <= int(local)) EXPECT_EQ(by_group, want) << places << " " << local;
    }
}

TEST_F(Atomics, GreatestFloatByCompareExchange) {
  // A test in front of the exchange, and what each lane found where it gave up or got through.
  const auto a = run(
      "const float mine = (float)(i * 37 % 256); global int* p = &a[i & 3]; int seen = *p; old[i] = 0;"
      "while (as_float(seen) < mine) { const int tried = seen; seen = atomic_cmpxchg(p, tried, as_int(mine)); old[i] = 1;"
      "  if (seen == tried) break; }",
      {0, 0, 0, 0}, 256, 64);
  for (int k = 0; k < 4; ++k) {
    cl_float most;
    std::memcpy(&most, &a[k], 4);
    cl_float want = 0;
    for (int i = k; i < 256; i += 4) want = std::max(want, cl_float(i * 37 % 256));
    EXPECT_EQ(most, want);
  }
  EXPECT_EQ(old_[0], 0);  // no number is less than 0
}

TEST_F(Atomics, NumbersTakenByCompareExchange) {
  // What each lane finds is its own alone.
  const auto a = run(
      "int seen = a[1], tried; do { tried = seen; seen = atomic_cmpxchg(&a[1], tried, tried + 2); } while (seen != tried); old[i] = seen;", {7, 1}, 640,
      64);
  EXPECT_EQ(a, (std::vector<cl_int>{7, 1281}));
  std::sort(old_.begin(), old_.end());
  for (int i = 0; i < 640; ++i) ASSERT_EQ(old_[i], 1 + 2 * i);
}

/// Updates that change nothing read: of one word and of many, also where lanes are off, and in front of an exchange.
TEST_F(Atomics, UpdatesThatReadAlone) {
  for (const char* read : {"atomic_add(p, 0)", "atomic_sub(p, 0)", "atomic_or(p, 0)", "atomic_xor(p, 0)", "atomic_and(p, -1)", "atomic_max(p, INT_MIN)",
                           "atomic_min(p, INT_MAX)", "atomic_cmpxchg(p, 7, 7)"}) {
    SCOPED_TRACE(read);
    std::vector<cl_int> a(300);
    for (int i = 0; i < 300; ++i) a[i] = i * 7 - 900;
    EXPECT_EQ(run("volatile global int* p = &a[i % 3 ? i : 5]; old[i] = i & 4 ? " + std::string(read) + " : -1;", a, 300, 100), a);
    for (int i = 0; i < 300; ++i) ASSERT_EQ(old_[i], i & 4 ? a[i % 3 ? i : 5] : -1) << i;
    const auto sums = run("volatile global int* p = &a[i % 5]; int o; do { o = " + std::string(read) + "; } while (atomic_cmpxchg(p, o, o + i) != o); old[i] = 0;",
                          {0, 0, 0, 0, 0}, 1000, 50);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(sums[i], 200 * i + 5 * 199 * 200 / 2) << i;
  }
}

/// An exchange of a value for itself tells whether it was there.
TEST_F(Atomics, ExchangeForItself) {
  EXPECT_EQ(run("old[i] = atomic_cmpxchg(&a[i], a[299 - i], a[299 - i]) == a[299 - i];", std::vector<cl_int>(300, 3), 300, 100), std::vector<cl_int>(300, 3));
  EXPECT_EQ(old_, std::vector<cl_int>(300, 1));
}

TEST_F(Atomics, CompareExchangeOnce) {
  run("old[i] = atomic_cmpxchg(&a[0], 0, i + 1);", {0}, 128, 64);
  EXPECT_EQ(std::count(old_.begin(), old_.end(), 0), 1);
}

TEST_F(Atomics, OnlyLiveLanes) {
  EXPECT_EQ(run("old[i] = -1; if (i % 3 == 0) old[i] = atomic_add(&a[0], 1);", {0}, 96, 48)[0], 32);
  EXPECT_EQ(std::count(old_.begin(), old_.end(), -1), 64);
  EXPECT_EQ(run("for (int j = 0; j < (i & 3); ++j) atomic_inc(&a[j]); old[i] = 0;", {0, 0, 0}, 64, 64),
            (std::vector<cl_int>{48, 32, 16}));
}

TEST_F(Atomics, LocalHistogram) {
  const Program program = session.build(
      "kernel void k(global const uchar* in, global int* bins, int n) { local int h[16]; int l = "
      "get_local_id(0);"
      " if (l < 16) h[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);"
      " for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&h[in[i] & 15]);"
      " barrier(CLK_LOCAL_MEM_FENCE); if (l < 16) atomic_add(&bins[l], h[l]); }");
  std::vector<cl_uchar> in(5000);
  std::vector<cl_int> want(16);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = cl_uchar(i * i / 7);
    ++want[in[i] & 15];
  }
  const Mem from = session.upload(in);
  const Mem bins = session.upload(std::vector<cl_int>(16, 0));
  session.launch(session.kernel(program, "k"), {{320}, {64}}, from, bins, cl_int(in.size()));
  EXPECT_EQ(session.download<cl_int>(bins, 16), want);
}

TEST_F(Atomics, LocalReturnsAreAPermutation) {
  const Program program = session.build(
      "kernel void k(global int* out) { local int next; if (get_local_id(0) == 0) next = 0; "
      "barrier(CLK_LOCAL_MEM_FENCE);"
      " out[get_global_id(0)] = atomic_inc(&next); }");
  const Mem out = session.buffer(4 * 200);
  session.launch(session.kernel(program, "k"), {{200}, {100}}, out);
  auto got = session.download<cl_int>(out, 200);
  std::sort(got.begin(), got.begin() + 100);
  EXPECT_EQ(std::vector<cl_int>(got.begin(), got.begin() + 100), iota<cl_int>(100));
}

// Lanes that meet at one address, some of them switched off: the values they find are a permutation all the same.
TEST_F(Atomics, SomeLanesAtOneWord) {
  for (const std::size_t local : {1, 7, 32, 50, 64, 128}) {
    const std::size_t items = local * 3;
    std::vector<cl_int> want;
    for (std::size_t i = 0; i < items; ++i)
      if (i % 3 != 1) want.push_back(100 - 5 * cl_int(want.size()));
    EXPECT_EQ(run("old[i] = 1000; if (i % 3 != 1) old[i] = atomic_sub(&a[0], 5);", {100}, items, local)[0],
              want.back() - 5);
    std::vector<cl_int> found;
    for (const cl_int value : old_)
      if (value != 1000) found.push_back(value);
    std::sort(found.rbegin(), found.rend());
    EXPECT_EQ(found, want) << local;
    cl_int least = 1 << 20, most = -1, all = -1, any = 0, odd = 0;
    for (int i = 0; i < int(items); ++i) {
      if ((i * 7) % 5 == 0) continue;
      least = std::min(least, i * 3 - 20), most = std::max(most, i ^ 5), all &= i | 64, any |= i, odd ^= i;
    }
    EXPECT_EQ(run("old[i] = 0; if ((i * 7) % 5) { atomic_min(&a[0], i * 3 - 20); atomic_max(&a[1], i ^ 5); "
                  "atomic_and(&a[2], i | 64); atomic_or(&a[3], i); atomic_xor(&a[4], i); }",
                  {1 << 20, -1, -1, 0, 0}, items, local),
              (std::vector<cl_int>{least, most, all, any, odd}));
    // Nobody at all.
    EXPECT_EQ(run("old[i] = 0; if (i > 100000) atomic_inc(a + i * 100000);", {3}, items, local)[0], 3);
  }
}

TEST_F(Atomics, LocalUpdatesOfAllAndOfSome) {
  for (const std::size_t local : {8, 32, 64, 96, 256}) {
    const std::string code =
        "local int h[8]; if (get_local_id(0) < 8) h[get_local_id(0)] = 0; barrier(CLK_LOCAL_MEM_FENCE);"
        " int w = (i * 5 + 3) & 7; int was = atomic_add(&h[w], 2); barrier(CLK_LOCAL_MEM_FENCE);"
        " if (i % 3) atomic_inc(&h[w]); barrier(CLK_LOCAL_MEM_FENCE);"
        " old[i] = was & 1; if (get_local_id(0) < 8) atomic_add(&a[get_local_id(0)], h[get_local_id(0)]);";
    std::vector<cl_int> want(8);
    for (int i = 0; i < int(local) * 2; ++i) want[(i * 5 + 3) & 7] += 2 + (i % 3 != 0);
    EXPECT_EQ(run(code, std::vector<cl_int>(8, 0), local * 2, local), want) << local;
    EXPECT_EQ(std::count(old_.begin(), old_.end(), 0), cl_int(local) * 2);
  }
}

// Turns in local memory whose bins come from numbers of several widths, with operands of the lanes' own and old values asked for.
TEST_F(Atomics, LocalTurns) {
  for (const char* type : {"uchar", "char", "ushort", "int", "ulong"})
    for (const std::size_t local : {32, 40, 128}) {
      const std::string code =
          std::string(
              "local int h[96]; for (int j = get_local_id(0); j < 96; j += get_local_size(0)) h[j] = 0;"
              "barrier(CLK_LOCAL_MEM_FENCE); volatile ") +
          type + " bin = (" + type +
          ")(i * 7 % 90);"
          "const int was = atomic_add(&h[bin], i + 1); atomic_max(h + 3 + bin, -1); barrier(CLK_LOCAL_MEM_FENCE);"
          "old[i] = h[bin] - was; for (int j = get_local_id(0); j < 90; j += get_local_size(0)) atomic_add(&a[j], h[j]);";
      std::vector<cl_int> want(90, 0);
      for (int i = 0; i < int(local) * 3; ++i) want[i * 7 % 90] += i + 1;
      EXPECT_EQ(run(code, std::vector<cl_int>(90, 0), local * 3, local), want) << type << " " << local;
      for (int i = 0; i < int(local) * 3; ++i) ASSERT_GE(old_[i], i + 1) << type << " " << local;
    }
}

TEST_F(Atomics, NamesOfOpenClOneZero) {
  EXPECT_EQ(run("atom_add(&a[0], 2); atom_inc(&a[1]); old[i] = 0;", {0, 0}, 64, 64),
            (std::vector<cl_int>{128, 64}));
}

TEST_F(Atomics, FinishedGroupsAreSeenByTheLast) {
  // Global sums by the last group to finish, as reductions in one launch do.
  const Program program = session.build(
      "kernel void k(global int* parts, global int* done, global int* total) { local int last; int l = "
      "get_local_id(0);"
      " if (l == 0) { parts[get_group_id(0)] = get_group_id(0) + 1; mem_fence(CLK_GLOBAL_MEM_FENCE);"
      " last = atomic_inc(done) == get_num_groups(0) - 1; } barrier(CLK_LOCAL_MEM_FENCE | "
      "CLK_GLOBAL_MEM_FENCE);"
      " if (last && l == 0) { int s = 0; for (int i = 0; i < get_num_groups(0); ++i) s += ((volatile global "
      "int*)parts)[i]; *total = s; } }");
  const Mem parts = session.upload(std::vector<cl_int>(64, 0));
  const Mem done = session.upload(std::vector<cl_int>(1, 0));
  const Mem total = session.buffer(4);
  session.launch(session.kernel(program, "k"), {{64 * 32}, {32}}, parts, done, total);
  EXPECT_EQ(session.download<cl_int>(total, 1)[0], 64 * 65 / 2);
}

TEST_F(Atomics, GroupsTakePlacesOfOneCounter) {
  // Compaction by a counter in local memory and one of all groups: what a group keeps lies together, groups in any order.
  const Program program = session.build(
      "kernel void k(global const uint* in, global uint* out, global uint* taken, const uint few) { local uint count, base;"
      " const uint l = get_local_id(1) * get_local_size(0) + get_local_id(0);"
      " const uint i = get_group_id(0) * get_local_size(0) * get_local_size(1) + l;"
      " if (l == 0) count = 0; barrier(CLK_LOCAL_MEM_FENCE);"
      " const int keeps = (in[i] & 7) < few; uint mine = 0; if (keeps) mine = atomic_inc(&count); barrier(CLK_LOCAL_MEM_FENCE);"
      " if (l == 0) base = atomic_add(&taken[1], count); barrier(CLK_LOCAL_MEM_FENCE);"
      " if (keeps) out[base + mine] = i; }");
  constexpr std::size_t kGroups = 43;
  for (const auto& [x, y] : {std::pair{256, 1}, {64, 1}, {32, 4}, {100, 1}, {33, 3}, {1, 1}})
    for (const cl_uint few : {0u, 1u, 4u, 8u}) {
      const std::size_t local = static_cast<std::size_t>(x) * y, items = kGroups * local;
      std::vector<cl_uint> in(items), kept;
      for (std::size_t i = 0; i < items; ++i) {
        in[i] = static_cast<cl_uint>(i * 2654435761u >> 13);
        if ((in[i] & 7) < few) kept.push_back(static_cast<cl_uint>(i));
      }
      const Mem source = session.upload(in), out = session.buffer(4 * items), taken = session.upload(std::vector<cl_uint>{7, 0, 7});
      session.launch(session.kernel(program, "k"),
                     {{kGroups * x, static_cast<std::size_t>(y)}, {static_cast<std::size_t>(x), static_cast<std::size_t>(y)}}, source, out,
                     taken, few);
      EXPECT_EQ(session.download<cl_uint>(taken, 3), (std::vector<cl_uint>{7, static_cast<cl_uint>(kept.size()), 7})) << x << " " << few;
      std::vector<cl_uint> got = session.download<cl_uint>(out, items);
      got.resize(kept.size());
      std::set<std::size_t> groups;
      for (std::size_t i = 0; i < got.size(); ++i)
        if (i == 0 || got[i] / local != got[i - 1] / local)
          EXPECT_TRUE(groups.insert(got[i] / local).second) << "group " << got[i] / local << " has two places, " << x << " " << few;
      std::sort(got.begin(), got.end());
      EXPECT_EQ(got, kept) << x << " " << few;
    }
}

TEST_F(Atomics, WorkItemsAppend) {
  // Each for itself, under no, one or two conditions; those that do not keep what they had.
  const Program program = session.build(
      "kernel void every(global const uint* in, global uint* out, global int* places, global uint* taken, const uint few, const uint n) {"
      " const uint i = get_global_id(0); const uint p = atomic_add(taken, 1u); out[p] = i; places[i] = p; }"
      "kernel void chosen(global const uint* in, global uint* out, global int* places, global uint* taken, const uint few, const uint n) {"
      " const uint i = get_global_id(0); int p = -1; if ((in[i] & 7) < few) { const uint x = i ^ 1; p = atomic_inc(taken); out[p] = x ^ 1; }"
      " places[i] = p; }"
      "kernel void within(global const uint* in, global uint* out, global int* places, global uint* taken, const uint few, const uint n) {"
      " const uint i = get_global_id(0); places[i] = -1; if (i < n) { const uint v = in[i]; if ((v & 7) < few) { const int p = atomic_inc(taken);"
      " out[p] = i; places[i] = p; } } }");
  for (const std::string name : {"every", "chosen", "within"})
    for (const std::size_t local : {256u, 64u, 96u, 33u, 1u})
      for (const cl_uint few : {0u, 1u, 4u, 8u}) {
        const std::size_t items = 37 * local;
        const auto count = static_cast<cl_uint>(items - 5);
        std::vector<cl_uint> in(items), kept;
        for (std::size_t i = 0; i < items; ++i) {
          in[i] = static_cast<cl_uint>(i * 2654435761u >> 13);
          if (name == "every" || ((in[i] & 7) < few && (name == "chosen" || i < count))) kept.push_back(static_cast<cl_uint>(i));
        }
        const Mem source = session.upload(in), out = session.upload(std::vector<cl_uint>(items, 0)), places = session.buffer(4 * items);
        const Mem taken = session.upload(std::vector<cl_uint>{0});
        session.launch(session.kernel(program, name.c_str()), {{items}, {local}}, source, out, places, taken, few, count);
        ASSERT_EQ(session.download<cl_uint>(taken, 1)[0], kept.size()) << name << " " << local << " " << few;
        std::vector<cl_uint> got = session.download<cl_uint>(out, items);
        const std::vector<cl_int> place = session.download<cl_int>(places, items);
        std::vector<cl_int> want(items, -1);
        for (std::size_t at = 0; at < kept.size(); ++at) want[got[at]] = static_cast<cl_int>(at);
        EXPECT_EQ(place, want) << name << " " << local << " " << few;
        got.resize(kept.size());
        std::sort(got.begin(), got.end());
        EXPECT_EQ(got, kept) << name << " " << local << " " << few;
      }
}

TEST_F(Atomics, TicketsOfGroupsThatWaitForEachOther) {
  // Each group waits until those with lower tickets are through: one after the other, whichever comes first.
  const Program program = session.build(
      "kernel void k(global int* next, volatile global int* done, global int* order) { local int ticket;"
      " if (get_local_id(0) == 0) ticket = atomic_inc(next); barrier(CLK_LOCAL_MEM_FENCE);"
      " if (get_local_id(0) == 0) { while (atomic_add(done, 0) != ticket) {} order[ticket] += ticket + 1; mem_fence(CLK_GLOBAL_MEM_FENCE);"
      " atomic_inc(done); } barrier(CLK_LOCAL_MEM_FENCE); }");
  constexpr cl_int kGroups = 100;
  const Mem next = session.upload(std::vector<cl_int>(1, 0)), done = session.upload(std::vector<cl_int>(1, 0));
  const Mem order = session.upload(std::vector<cl_int>(kGroups, 0));
  session.launch(session.kernel(program, "k"), {{kGroups * 64}, {64}}, next, done, order);
  const std::vector<cl_int> got = session.download<cl_int>(order, kGroups);
  for (cl_int i = 0; i < kGroups; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], i + 1);
}

}  // namespace
}  // namespace weft::conformance
