// Sums that loops keep in memory, of buffers that are apart, the same, or overlap: code that is made for one serves no other, in whichever
// order launches come; and what lanes leave where they share a sum.
#include <algorithm>
#include <numeric>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Accumulators : public ApiTest {
 protected:
  static constexpr int kItems = 256;

  static std::vector<cl_int> values(std::size_t count, cl_int first) {
    std::vector<cl_int> result(count);
    std::iota(result.begin(), result.end(), first);
    return result;
  }
};

TEST_F(Accumulators, OfBuffersApartAndOverlapping) {
  const Program program = session.build(R"(
kernel void add(global int* sums, global const int* from, int rounds, int step) {
  const int i = get_global_id(0);
  for (int k = 0; k < rounds; ++k) sums[i] += from[k * step + i] * (k + 1);
})");
  const Kernel kernel = session.kernel(program, "add");
  constexpr int kRounds = 5, kAll = 8 * kItems;
  const auto run = [&](const Mem& sums, int sums_at, const Mem& from, int from_at, std::vector<cl_int> memory, const Mem& whole) {
    session.launch(kernel, {{kItems}, {64}}, sums, from, cl_int{kRounds}, cl_int{kItems});
    for (int i = 0; i < kItems; ++i)  // each element is one work-item's
      for (int k = 0; k < kRounds; ++k) memory[sums_at + i] += memory[from_at + k * kItems + i] * (k + 1);
    EXPECT_EQ(session.download<cl_int>(whole, memory.size()), memory);
  };
  const auto part = [&](const Mem& whole, int begin, int count) {
    const cl_buffer_region region{begin * sizeof(cl_int), count * sizeof(cl_int)};
    cl_int error = CL_SUCCESS;
    Mem result{clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error)};
    EXPECT_EQ(error, CL_SUCCESS);
    return result;
  };
  for (int repeated = 0; repeated < 3; ++repeated) {
    const auto all = values(kAll, repeated);
    {
      SCOPED_TRACE("apart");
      const Mem whole = session.upload(all);
      run(part(whole, 0, kItems), 0, part(whole, kItems, 7 * kItems), kItems, all, whole);
    }
    {
      SCOPED_TRACE("the same");
      const Mem whole = session.upload(all);
      run(whole, 0, whole, 0, all, whole);
    }
    {
      SCOPED_TRACE("overlapping");
      const Mem whole = session.upload(all);
      run(part(whole, 3 * kItems, kItems), 3 * kItems, part(whole, kItems, 7 * kItems), kItems, all, whole);
    }
  }
}

/// Loops within loops, of which the inner ones may have no iteration, and sums of structs.
TEST_F(Accumulators, OfNestsAndFields) {
  const Program program = session.build(R"(
typedef struct { int x, y, z; } Sum;
kernel void add(global Sum* sums, global const int* from, global const int* counts, int rounds) {
  const int i = get_global_id(0);
  for (int j = 0; j < rounds; ++j)
    for (int k = 0; k < counts[j]; ++k) {
      sums[i].x += from[j] + i;
      sums[i].z -= from[k] * j;
    }
})");
  const Kernel kernel = session.kernel(program, "add");
  const std::vector<cl_int> from = values(16, 3), counts = {3, 0, 7, 1, 0, 16};
  for (const int rounds : {0, 1, 2, 6}) {
    SCOPED_TRACE(rounds);
    auto sums = values(3 * 100, 1000);
    const Mem memory = session.upload(sums);
    session.launch(kernel, {{100}, {50}}, memory, session.upload(from), session.upload(counts), cl_int{rounds});
    for (int i = 0; i < 100; ++i)
      for (int j = 0; j < rounds; ++j)
        for (int k = 0; k < counts[j]; ++k) {
          sums[3 * i] += from[j] + i;
          sums[3 * i + 2] -= from[k] * j;
        }
    EXPECT_EQ(session.download<cl_int>(memory, sums.size()), sums);
  }
}

/// Warps alone promise this, and only Weft's: the last of the lanes that share an element leaves what it alone would have.
TEST_F(Accumulators, ThatLanesShare) {
  if (!testing_weft()) GTEST_SKIP() << "a race elsewhere";
  const Program program = session.build(R"(
kernel void add(global int* sums, global const int* order, global const int* from, int rounds) {
  const int i = get_global_id(0);
  for (int k = 0; k < rounds; ++k) sums[order[i]] += from[k] + i;
})");
  const Kernel kernel = session.kernel(program, "add");
  std::vector<cl_int> order(32), sums(32, 5);
  for (int i = 0; i < 32; ++i) order[i] = i * i % 7;
  const auto from = values(9, 1);
  const Mem memory = session.upload(sums);
  session.launch(kernel, {{32}, {32}}, memory, session.upload(order), session.upload(from), cl_int{9});
  for (int k = 0; k < 9; ++k) {
    const auto before = sums;
    for (int i = 0; i < 32; ++i) sums[order[i]] = before[order[i]] + from[k] + i;
  }
  EXPECT_EQ(session.download<cl_int>(memory, sums.size()), sums);
}

TEST_F(Accumulators, OfLocalMemoryWhoseLanesLeaveApart) {
  const Program program = session.build(R"(
kernel void sums(global const int* from, global int* sums, local int* own, int n) {
  const int l = get_local_id(0);
  own[l] = l;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) own[l] += from[i];
  for (int offset = get_local_size(0) / 2; offset > 0; offset /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < offset) own[l] += own[l + offset];
  }
  if (l == 0) sums[get_group_id(0)] = own[0];
}
kernel void last(global const int* from, global int* out, local int* own, int n) {
  const int l = get_local_id(0), size = get_local_size(0);
  own[l] = 1;
  for (int i = l; i < n; i += size) own[l] = (int)((uint)own[l] * 3u + (uint)from[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = own[size - 1 - l];
}
)");
  const auto from = values(5 * kItems, -300);
  const Mem buffer = session.upload(from);
  for (const std::size_t local : {2u, 16u, 64u, 256u})
    for (const cl_int n : {0, 1, 33, 1000, 1279}) {
      SCOPED_TRACE(std::to_string(local) + " of " + std::to_string(n));
      const Mem out = session.upload(std::vector<cl_int>(local, 0));
      session.launch(session.kernel(program, "sums"), {{local}, {local}}, buffer, out, LocalBytes{local * sizeof(cl_int)}, n);
      const auto all = cl_int(local * (local - 1) / 2);
      EXPECT_EQ(session.download<cl_int>(out, 1)[0], std::accumulate(from.begin(), from.begin() + n, all));
      session.launch(session.kernel(program, "last"), {{local}, {local}}, buffer, out, LocalBytes{local * sizeof(cl_int)}, n);
      std::vector<cl_uint> expected(local, 1);
      for (cl_int i = 0; i < n; ++i) {
        cl_uint& one = expected[local - 1 - std::size_t(i) % local];
        one = one * 3 + cl_uint(from[std::size_t(i)]);
      }
      EXPECT_EQ(session.download<cl_uint>(out, local), expected);
    }
}

/// Of structs, not each iteration stores each field, and some lanes store one in none; and in which order work-items run through states of their own
/// nobody can tell.
TEST_F(Accumulators, StoredInSomeIterations) {
  const Program program = session.build(R"(
typedef struct { int x, v, hits, least, last; } Body;
kernel void bounce(global Body* bodies, global const int* from, int rounds) {
  global Body* const own = bodies + get_global_id(0);
  for (int k = 0; k < rounds; ++k) {
    own->x += own->v;
    if (own->x < 0 || own->x > 40) {
      own->v = -own->v;
      own->hits++;
    }
    if (own->x < own->least) own->least = own->x;
    own->last = from[k] + own->x;
  }
}
kernel void count(global int* counts, global const int* from, int rounds) {
  const int i = get_global_id(0);
  counts[i] = i;
  for (int k = 0; k < rounds; ++k)
    if ((from[k] + i) % 5 == 0) counts[i] += from[k];
}
kernel void run(global Body* bodies, global const int* from, int rounds) {
  global Body* const own = bodies + get_global_id(0);
  for (int k = 0; k < rounds; ++k) {
    switch (own->hits & 3) {
      case 0: own->x += from[k]; own->hits += own->x & 1 ? 1 : 2; break;
      case 1: own->v = own->x * 3 - own->least; own->hits++; break;
      case 2: if (own->v & 4) own->least--; own->hits += 3; break;
      default: own->last = (int)((uint)own->last * 5 + (uint)own->v); own->hits = own->x & 1;
    }
  }
})");
  struct Body {
    cl_int x, v, hits, least, last;
    bool operator==(const Body&) const = default;
  };
  const auto from = values(64, 3);
  for (const int rounds : {0, 1, 7, 40})
    for (const std::size_t local : {1u, 20u, 50u}) {
      SCOPED_TRACE(rounds);
      std::vector<Body> bounced, ran;
      std::vector<cl_int> counts(100, -7);
      for (int i = 0; i < 100; ++i) bounced.push_back({i % 41, i % 7 - 3, i, i % 3 ? 20 : -20, -i});
      ran = bounced;
      const Mem bounces = session.upload(bounced), runs = session.upload(ran), counters = session.upload(counts), numbers = session.upload(from);
      session.launch(session.kernel(program, "bounce"), {{100}, {local}}, bounces, numbers, cl_int{rounds});
      session.launch(session.kernel(program, "count"), {{100}, {local}}, counters, numbers, cl_int{rounds});
      session.launch(session.kernel(program, "run"), {{100}, {local}}, runs, numbers, cl_int{rounds});
      for (int i = 0; i < 100; ++i) {
        Body& b = bounced[i];
        Body& r = ran[i];
        counts[i] = i;
        for (int k = 0; k < rounds; ++k) {
          b.x += b.v;
          if (b.x < 0 || b.x > 40) {
            b.v = -b.v;
            b.hits++;
          }
          b.least = std::min(b.least, b.x);
          b.last = from[k] + b.x;
          if ((from[k] + i) % 5 == 0) counts[i] += from[k];
          switch (r.hits & 3) {
            case 0: r.x += from[k]; r.hits += r.x & 1 ? 1 : 2; break;
            case 1: r.v = cl_int(cl_uint(r.x) * 3 - cl_uint(r.least)); r.hits++; break;
            case 2: if (r.v & 4) r.least--; r.hits += 3; break;
            default: r.last = cl_int(cl_uint(r.last) * 5 + cl_uint(r.v)); r.hits = r.x & 1;
          }
        }
      }
      EXPECT_EQ(session.download<Body>(bounces, 100) == bounced, true);
      EXPECT_EQ(session.download<Body>(runs, 100) == ran, true);
      EXPECT_EQ(session.download<cl_int>(counters, 100), counts);
    }
}

}  // namespace
}  // namespace weft::conformance
