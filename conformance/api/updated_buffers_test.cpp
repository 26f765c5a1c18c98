// Buffers that a kernel does nothing but update, by so many work-items that workers may keep copies of them: nobody can tell.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "api/fixture.h"
#include "api/images.h"

namespace weft::conformance {
namespace {

constexpr std::size_t kItems = 1 << 17;
constexpr std::size_t kWords = 64;

class UpdatedBuffers : public ApiTest {
 protected:
  const Range range{{kItems}, {64}};

  /// kWords words, after kItems work-items `i` have run `statement` on `a`.
  std::vector<cl_int> run(const std::string& statement, cl_int before) {
    const Mem a = session.upload(std::vector<cl_int>(kWords, before));
    session.run("kernel void k(global int* a) { int i = get_global_id(0); " + statement + " }", "k", range, a);
    return session.download<cl_int>(a, kWords);
  }
  /// The same on the host.
  template <typename F>
  static std::vector<cl_int> host(F update, cl_int before) {
    std::vector<cl_int> a(kWords, before);
    for (int i = 0; i < int(kItems); ++i) update(a, i);
    return a;
  }
};

TEST_F(UpdatedBuffers, EachOperation) {
  using A = std::vector<cl_int>&;
  EXPECT_EQ(run("atomic_inc(&a[i * 7 & 31]); if (i % 3) atomic_sub(&a[i & 15], i); atomic_add(&a[40], 2);", 5),
            host([](A a, int i) { ++a[i * 7 & 31]; if (i % 3) a[i & 15] = cl_int(cl_uint(a[i & 15]) - cl_uint(i)); a[40] += 2; }, 5));
  EXPECT_EQ(run("if (i & 8) atomic_min(&a[i * 5 & 63], 1000 - i * 3);", 7),
            host([](A a, int i) { if (i & 8) a[i * 5 & 63] = std::min(a[i * 5 & 63], 1000 - i * 3); }, 7));
  EXPECT_EQ(run("atomic_max(&a[i * 5 & 63], (i * 77) % 1009 - 500);", -400),
            host([](A a, int i) { a[i * 5 & 63] = std::max(a[i * 5 & 63], (i * 77) % 1009 - 500); }, -400));
  EXPECT_EQ(run("atomic_max((volatile global uint*)&a[i * 5 & 63], (uint)(i - 100));", 3),
            host([](A a, int i) { a[i * 5 & 63] = cl_int(std::max(cl_uint(a[i * 5 & 63]), cl_uint(i - 100))); }, 3));
  EXPECT_EQ(run("atomic_or(&a[i & 63], i);", 1 << 30), host([](A a, int i) { a[i & 63] |= i; }, 1 << 30));
  EXPECT_EQ(run("atomic_and(&a[i * 3 & 63], ~(1 << (i & 31)));", -1), host([](A a, int i) { a[i * 3 & 63] &= ~(1u << (i & 31)); }, -1));
  EXPECT_EQ(run("atomic_xor(&a[i * 3 & 63], i * i);", 9),
            host([](A a, int i) { a[i * 3 & 63] ^= cl_int(cl_uint(i) * cl_uint(i)); }, 9));
}

TEST_F(UpdatedBuffers, InLoopsAndBehindBarriers) {
  const Mem a = session.upload(std::vector<cl_int>(kWords, 0));
  session.run(
      "kernel void k(global int* a) { local int h[64]; int l = get_local_id(0); h[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);"
      " for (int r = 0; r < l % 5; ++r) { atomic_inc(&h[(l * r) & 63]); atomic_inc(&a[(l + r) & 63]); } barrier(CLK_LOCAL_MEM_FENCE);"
      " atomic_add(&a[l], h[l]); }",
      "k", range, a);
  std::vector<cl_int> want(kWords, 0);
  for (int l = 0; l < 64; ++l)
    for (int r = 0; r < l % 5; ++r) want[(l * r) & 63] += kItems / 64, want[(l + r) & 63] += kItems / 64;
  EXPECT_EQ(session.download<cl_int>(a, kWords), want);
}

// More words than work-items, each of which makes many updates, or most of which make none.
TEST_F(UpdatedBuffers, InLoopsOverMoreWords) {
  constexpr int kFew = 4096, kMany = 8192;
  const std::pair<const char*, int (*)(int)> counts[] = {
      {"64", [](int) { return 64; }}, {"g % 61", [](int g) { return g % 61; }}, {"g % 97 ? 0 : 300", [](int g) { return g % 97 ? 0 : 300; }}};
  for (const auto& [text, count] : counts) {
    const Mem a = session.upload(std::vector<cl_int>(kMany, 1));
    session.run("kernel void k(global int* a) { int g = get_global_id(0); for (int r = 0, n = " + std::string(text) +
                    "; r < n; ++r) atomic_add(&a[(g * 37 + r * 1021) & 8191], r + 1); }",
                "k", {{kFew}, {64}}, a);
    std::vector<cl_int> want(kMany, 1);
    for (int g = 0; g < kFew; ++g)
      for (int r = 0; r < count(g); ++r) want[(g * 37 + r * 1021) & (kMany - 1)] += r + 1;
    EXPECT_EQ(session.download<cl_int>(a, kMany), want) << text;
  }
}

TEST_F(UpdatedBuffers, WordsBesideThemStay) {
  // A sub-buffer of an odd number of words, and a part of a word behind it.
  const Mem all = session.upload(std::vector<cl_int>(4096, 77));
  const cl_buffer_region region = {4096, 4 * 61 + 2};
  cl_int error = CL_SUCCESS;
  const Mem part(clCreateSubBuffer(all, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  session.run("kernel void k(global int* a) { atomic_inc(&a[get_global_id(0) % 61]); }", "k", range, part);
  const std::vector<cl_int> got = session.download<cl_int>(all, 4096);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t word = i - 1024;
    const cl_int want = i < 1024 || word >= 61 ? 77 : 77 + cl_int(kItems / 61 + (word < kItems % 61));
    ASSERT_EQ(got[i], want) << i;
  }
}

TEST_F(UpdatedBuffers, OtherArgumentsSeeTheSameMemory) {
  // Each work-item reads what it has updated, through another argument.
  const Program program = session.build(
      "kernel void k(global int* a, volatile global int* same, global int* bad) {"
      " int i = get_global_id(0); atomic_inc(&a[i & 63]); if (same[i & 63] < 1) bad[0] = 1; }");
  const Kernel kernel = session.kernel(program, "k");
  const Mem a = session.upload(std::vector<cl_int>(4096, 0));
  const Mem bad = session.upload(std::vector<cl_int>(1, 0));
  session.launch(kernel, range, a, a, bad);
  EXPECT_EQ(session.download<cl_int>(bad, 1)[0], 0);
  const cl_buffer_region region = {0, 4 * kWords};
  const Mem part(clCreateSubBuffer(a, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  session.launch(kernel, range, part, a, bad);
  EXPECT_EQ(session.download<cl_int>(bad, 1)[0], 0);
  session.launch(kernel, range, a, part, bad);
  EXPECT_EQ(session.download<cl_int>(bad, 1)[0], 0);
  EXPECT_EQ(session.download<cl_int>(a, kWords), std::vector<cl_int>(kWords, 3 * kItems / kWords));
}

TEST_F(UpdatedBuffers, LaunchesSideBySide) {
  const Queue queues[] = {session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), session.queue(0)};
  const Program program = session.build("kernel void k(global int* a, int by) { atomic_add(&a[get_global_id(0) & 63], by); }");
  const Kernel kernel = session.kernel(program, "k");
  const Mem a = session.upload(std::vector<cl_int>(kWords, 1));
  const cl_mem raw = a;
  const std::size_t global = kItems, local = 64;
  ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof raw, &raw), CL_SUCCESS);
  cl_int sum = 0;
  for (cl_int by = 1; by <= 40; ++by) {
    ASSERT_EQ(clSetKernelArg(kernel, 1, sizeof by, &by), CL_SUCCESS);
    ASSERT_EQ(clEnqueueNDRangeKernel(queues[by % 2], kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
    sum += by;
  }
  for (const Queue& one : queues) ASSERT_EQ(clFinish(one), CL_SUCCESS);
  EXPECT_EQ(session.download<cl_int>(a, kWords), std::vector<cl_int>(kWords, 1 + sum * cl_int(kItems / kWords)));
}

class UpdatedBuffersOfImages : public ImageApiTest {};

/// Items enough for copies.
TEST_F(UpdatedBuffersOfImages, Counts) {
  const ImageSpec spec = image_2d(512, 256);
  std::vector<cl_uchar4> texels(spec.texels());
  std::vector<cl_int> expected(256, 5);
  for (std::size_t i = 0; i < texels.size(); ++i) {
    texels[i] = {{static_cast<cl_uchar>(i * i % 251), 1, 2, 3}};
    ++expected[texels[i].s[0]];
  }
  const Program program = session.build(
      "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;"
      "kernel void k(read_only image2d_t in, global int* counts) {"
      "  atomic_inc(&counts[read_imageui(in, s, (int2)(get_global_id(0), get_global_id(1))).x]); }"
      "kernel void groups(read_only image2d_t in, global int* counts) {"
      "  local int own[256]; const int item = get_local_id(1) * 16 + get_local_id(0); own[item] = 0; barrier(CLK_LOCAL_MEM_FENCE);"
      "  atomic_inc(&own[read_imageui(in, s, (int2)(get_global_id(0), get_global_id(1))).x]); barrier(CLK_LOCAL_MEM_FENCE);"
      "  atomic_add(&counts[item], own[item]); }");
  const Mem image = create(spec, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, texels.data());
  for (const char* name : {"k", "groups"}) {
    const Mem counts = session.upload(std::vector<cl_int>(256, 5));
    session.launch(session.kernel(program, name), {{512, 256}, {16, 16}}, image, counts);
    EXPECT_EQ(session.download<cl_int>(counts, 256), expected) << name;
  }
}

TEST_F(UpdatedBuffers, SeveralAtOnce) {
  const Mem low = session.upload(std::vector<cl_int>(32, 1 << 30)), high = session.upload(std::vector<cl_int>(32, -1));
  const Mem sums = session.upload(std::vector<cl_int>(8, 0)), nothing = session.upload(std::vector<cl_int>(2, 4));
  session.run(
      "kernel void k(global int* low, global int* high, global int* sums, global int* nothing) { int i = get_global_id(0);"
      " atomic_min(&low[i & 31], i); atomic_max(&high[i & 31], i); atomic_inc(&sums[i & 7]); if (i < 0) atomic_inc(nothing); }",
      "k", range, low, high, sums, nothing);
  EXPECT_EQ(session.download<cl_int>(low, 32), iota<cl_int>(32));
  std::vector<cl_int> last(32);
  for (int i = 0; i < 32; ++i) last[i] = cl_int(kItems) - 32 + i;
  EXPECT_EQ(session.download<cl_int>(high, 32), last);
  EXPECT_EQ(session.download<cl_int>(sums, 8), std::vector<cl_int>(8, kItems / 8));
  EXPECT_EQ(session.download<cl_int>(nothing, 2), std::vector<cl_int>(2, 4));
}

}  // namespace
}  // namespace weft::conformance
