// Programs that rely on the lanes of a warp running in lockstep, with neither barrier nor atomic between them
// (OpenCL Programming Guide for the CUDA Architecture §3.4). Only Weft promises this.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Lockstep : public ApiTest {
 protected:
  void SetUp() override { WEFT_ONLY("only warps run in lockstep"); }
};

TEST_F(Lockstep, StoreToTheNextLane) {
  // The sample of §3.4: with volatile, every second read sees the neighbour's store.
  const Program program = session.build(
      "kernel void k(global int* result, volatile global int* a) { int t = get_local_id(0); int ref1 = a[t] "
      "* 1; a[t + 1] = 2;"
      " int ref2 = a[t] * 1; result[t] = ref1 * ref2; }");
  const Mem a = session.upload(std::vector<cl_int>(33, 7));
  const Mem result = session.buffer(128);
  session.launch(session.kernel(program, "k"), {{32}, {32}}, result, a);
  const auto got = session.download<cl_int>(result, 32);
  EXPECT_EQ(got[0], 49);
  for (int i = 1; i < 32; ++i) EXPECT_EQ(got[i], 14) << i;
}

// The last six steps of a reduction, by the first warp alone; `qualifier` is "volatile" or nothing.
void reduce(Session& session, const std::string& qualifier, std::size_t local) {
  const Program program = session.build(
      "kernel void k(global const int* in, global int* out, local " + qualifier +
      " int* t) { int l = get_local_id(0);"
      " int n = get_local_size(0); t[l] = in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);"
      " for (int s = n / 2; s > 32; s >>= 1) { if (l < s) t[l] += t[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }"
      " if (l < 32) { if (n >= 64) t[l] += t[l + 32]; if (n >= 32) t[l] += t[l + 16]; t[l] += t[l + 8]; t[l] "
      "+= t[l + 4];"
      " t[l] += t[l + 2]; t[l] += t[l + 1]; } if (l == 0) out[get_group_id(0)] = t[0]; }");
  const auto in = iota<cl_int>(local * 4);
  const Mem from = session.upload(in);
  const Mem out = session.buffer(16);
  session.launch(session.kernel(program, "k"), {{in.size()}, {local}}, from, out,
                 LocalBytes{2 * local * 4 + 256});
  const auto got = session.download<cl_int>(out, 4);
  for (std::size_t w = 0; w < 4; ++w) {
    EXPECT_EQ(got[w], cl_int(local * (2 * w * local + local - 1) / 2)) << qualifier << " groups of " << local;
  }
}

TEST_F(Lockstep, ReductionWithVolatile) {
  for (std::size_t local : {32, 64, 128, 512}) reduce(session, "volatile", local);
}

TEST_F(Lockstep, ReductionWithoutVolatile) {
  for (std::size_t local : {32, 64, 128, 512}) reduce(session, "", local);
}

TEST_F(Lockstep, ScanOfAWarp) {
  const Program program = session.build(
      "kernel void k(global int* a, volatile local int* t) { int l = get_local_id(0); int lane = l & 31;"
      " int base = (l >> 5) * 64 + 32; t[base + lane - 32] = 0; t[base + lane] = a[get_global_id(0)];"
      " t[base + lane] += t[base + lane - 1]; t[base + lane] += t[base + lane - 2]; t[base + lane] += t[base "
      "+ lane - 4];"
      " t[base + lane] += t[base + lane - 8]; t[base + lane] += t[base + lane - 16]; a[get_global_id(0)] = "
      "t[base + lane]; }");
  const Mem a = session.upload(std::vector<cl_int>(256, 1));
  session.launch(session.kernel(program, "k"), {{256}, {128}}, a, LocalBytes{4 * 64 * 4});
  const auto got = session.download<cl_int>(a, 256);
  for (int i = 0; i < 256; ++i) EXPECT_EQ(got[i], i % 32 + 1) << i;
}

// Counters tagged by the thread that wrote last, as a warp's own histogram without atomics does it.
TEST_F(Lockstep, TaggedHistogram) {
  const Program program = session.build(
      "kernel void k(global const uchar* in, global uint* out, int n) { volatile local uint h[256]; int l = "
      "get_local_id(0);"
      " for (int i = l; i < 256; i += 32) h[i] = 0; uint tag = (uint)l << 27;"
      " for (int i = l; i < n; i += 32) { uint b = in[i]; uint c; do { c = h[b] & 0x07ffffffu; c = tag | (c "
      "+ 1); h[b] = c; }"
      " while (h[b] != c); } for (int i = l; i < 256; i += 32) out[i] = h[i] & 0x07ffffffu; }");
  std::vector<cl_uchar> in(3200);
  std::vector<cl_uint> want(256);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = i % 5 == 0 ? 3 : cl_uchar(i * 11 / 13);
    ++want[in[i]];
  }
  const Mem from = session.upload(in);
  const Mem out = session.buffer(1024);
  session.launch(session.kernel(program, "k"), {{32}, {32}}, from, out, cl_int(in.size()));
  EXPECT_EQ(session.download<cl_uint>(out, 256), want);
}

TEST_F(Lockstep, ConflictingStoresHaveOneWinner) {
  const Program program = session.build(
      "kernel void k(global int* out) { local int t; t = get_local_id(0); int seen = t; "
      "out[get_global_id(0)] = seen; }");
  const Mem out = session.buffer(128);
  session.launch(session.kernel(program, "k"), {{32}, {32}}, out);
  const auto got = session.download<cl_int>(out, 32);
  for (int i = 1; i < 32; ++i) EXPECT_EQ(got[i], got[0]) << i;
}

TEST_F(Lockstep, DivergentSidesReconverge) {
  const Program program = session.build(
      "kernel void k(global int* out, volatile local int* t) { int l = get_local_id(0); if (l & 1) t[l] = l "
      "* 10; else t[l] = l;"
      " out[l] = t[31 - l]; }");
  const Mem out = session.buffer(128);
  session.launch(session.kernel(program, "k"), {{32}, {32}}, out, LocalBytes{128});
  const auto got = session.download<cl_int>(out, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(got[i], (31 - i) & 1 ? (31 - i) * 10 : 31 - i) << i;
}

}  // namespace
}  // namespace weft::conformance
