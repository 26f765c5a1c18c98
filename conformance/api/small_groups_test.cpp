// Work-groups smaller than a warp, down to one work-item, with and without what a group has of its own, in launches that grow: programs
// written for CPUs launch such.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

using Words = std::vector<cl_uint>;

class SmallGroups : public ApiTest {
 protected:
  static constexpr std::size_t kMost = 1000;

  /// Runs `k(global const uint* in, global uint* out, uint n)` of `source` for several numbers of groups of `local` work-items, from one
  /// on and back, so that launches meet code that was made for others. want(in, i) is what work-item i writes.
  template <typename Want>
  void expect(const std::string& source, std::size_t local, Want want) {
    const Program program = session.build(source);
    const Kernel kernel = session.kernel(program, "k");
    Words in(kMost);
    for (std::size_t i = 0; i < kMost; ++i) in[i] = cl_uint(i * 2654435761u >> 7);
    const Mem from = session.upload(in);
    for (const std::size_t groups : {1, 2, 5, 40, 64, 999, 7, 1, 300, 1000}) {
      const std::size_t items = std::min(groups * local, kMost / local * local);
      const Mem to = session.upload(Words(kMost, 77));
      session.launch(kernel, {{items}, {local}}, from, to, cl_uint(items));
      const Words got = session.download<cl_uint>(to, kMost);
      for (std::size_t i = 0; i < kMost; ++i)
        ASSERT_EQ(got[i], i < items ? want(in, i) : 77u) << "item " << i << " of " << items << " in groups of " << local;
    }
  }
};

constexpr char kHead[] = "kernel void k(global const uint* in, global uint* out, uint n) { const uint g = get_global_id(0); ";

TEST_F(SmallGroups, TableThatAllFillAlike) {
  for (const std::size_t local : {1, 2, 8, 12})
    expect(std::string(kHead) +
               "local uint t[256]; for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) t[i] = in[i] ^ 0x5555;"
               "barrier(CLK_LOCAL_MEM_FENCE); if (g >= n) return;"
               "uint x = in[g]; for (uint i = 0; i < 9; ++i) x = x * 3 + t[x >> 3 & 255]; out[g] = x; }",
           local, [](const Words& in, std::size_t g) {
             cl_uint x = in[g];
             for (int i = 0; i < 9; ++i) x = x * 3 + (in[x >> 3 & 255] ^ 0x5555);
             return x;
           });
}

TEST_F(SmallGroups, MemoryOfAGroupsOwn) {
  expect(std::string(kHead) +
             "local uint s; local uint t[64]; if (g >= n) return; s = in[g];"
             "for (uint i = 0; i < 64; ++i) t[i] = s * i; barrier(CLK_LOCAL_MEM_FENCE);"
             "uint x = g; for (uint i = 0; i < 50; ++i) { x = x * 5 + t[x % 64]; t[i] ^= x; barrier(CLK_LOCAL_MEM_FENCE); } out[g] = x; }",
         1, [](const Words& in, std::size_t g) {
           cl_uint t[64];
           for (cl_uint i = 0; i < 64; ++i) t[i] = in[g] * i;
           cl_uint x = cl_uint(g);
           for (int i = 0; i < 50; ++i) {
             x = x * 5 + t[x % 64];
             t[i] ^= x;
           }
           return x;
         });
}

TEST_F(SmallGroups, BarriersThatOtherGroupsNeverReach) {
  expect(std::string(kHead) +
             "local uint t[4]; t[0] = g; t[1] = 3; uint x = 0;"
             "for (uint i = 0; i < in[g] % 23; ++i) { barrier(CLK_LOCAL_MEM_FENCE); x += t[0] * i; if (x & 1) { barrier(CLK_LOCAL_MEM_FENCE); t[1] += i; } }"
             "out[g] = x * t[1]; }",
         1, [](const Words& in, std::size_t g) {
           cl_uint three = 3, x = 0;
           for (cl_uint i = 0; i < in[g] % 23; ++i) {
             x += cl_uint(g) * i;
             if (x & 1) three += i;
           }
           return x * three;
         });
}

TEST_F(SmallGroups, LocalAtomicsAndCounts) {
  expect(std::string(kHead) +
             "local uint bins[16]; for (uint i = 0; i < 16; ++i) bins[i] = 0; barrier(CLK_LOCAL_MEM_FENCE);"
             "for (uint i = 0; i < 32; ++i) atomic_add(&bins[(in[g] >> i) & 15], i); atomic_max(&bins[3], g);"
             "uint x = atomic_cmpxchg(&bins[0], 0, 5); for (uint i = 0; i < 16; ++i) x = x * 7 + bins[i]; out[g] = x; }",
         1, [](const Words& in, std::size_t g) {
           cl_uint bins[16] = {};
           for (cl_uint i = 0; i < 32; ++i) bins[in[g] >> i & 15] += i;
           bins[3] = std::max(bins[3], cl_uint(g));
           cl_uint x = bins[0];
           if (bins[0] == 0) bins[0] = 5;
           for (const cl_uint bin : bins) x = x * 7 + bin;
           return x;
         });
}

TEST_F(SmallGroups, PointersIntoTwoTables) {
  expect(std::string(kHead) +
             "local uint a[32], b[32]; for (uint i = 0; i < 32; ++i) { a[i] = i * g; b[i] = i + g; } barrier(CLK_LOCAL_MEM_FENCE);"
             "local uint* p = in[g] & 1 ? a : b; uint x = 0; for (uint i = 0; i < 32; ++i) x += p[i] * i; out[g] = x; }",
         1, [](const Words& in, std::size_t g) {
           cl_uint x = 0;
           for (cl_uint i = 0; i < 32; ++i) x += (in[g] & 1 ? i * cl_uint(g) : i + cl_uint(g)) * i;
           return x;
         });
}

TEST_F(SmallGroups, WithoutAnyMemory) {
  for (const std::size_t local : {1, 3, 4, 16, 31})
    expect(std::string(kHead) + "uint x = in[g]; for (uint i = 0; i < in[g] % 19; ++i) x = x * x + get_local_id(0) + get_group_id(0) * 100; out[g] = x; }",
           local, [&](const Words& in, std::size_t g) {
             cl_uint x = in[g];
             for (cl_uint i = 0; i < in[g] % 19; ++i) x = x * x + cl_uint(g % local) + cl_uint(g / local) * 100;
             return x;
           });
}

}  // namespace
}  // namespace weft::conformance
