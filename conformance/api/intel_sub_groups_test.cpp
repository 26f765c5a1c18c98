// cl_intel_subgroups with _char, _short and _long, cl_intel_required_subgroup_size.
#include <algorithm>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr cl_device_info kSubGroupSizes = 0x4108;
constexpr cl_kernel_work_group_info kSpillMemory = 0x4109;
constexpr cl_kernel_sub_group_info kCompileSubGroupSize = 0x410A;

class IntelSubGroups : public ApiTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_intel_subgroups")) GTEST_SKIP() << "no cl_intel_subgroups";
  }

  /// Lanes of the one sub-group that `local` work-items are here.
  std::size_t lanes() {
    const Program program = session.build("kernel void k(global uint* o) { o[get_global_id(0)] = get_max_sub_group_size(); }");
    const Mem out = session.buffer(4);
    session.launch(session.kernel(program, "k"), {{1}, {1}}, out);
    return session.download<cl_uint>(out, 1)[0];
  }
};

struct Shuffle {
  const char* call;
  /// The work-item whose value comes: of `a` below the number of lanes, above it of `b`.
  std::size_t (*place)(std::size_t lane, std::size_t lanes);
};

TEST_F(IntelSubGroups, Shuffles) {
  const std::size_t n = lanes();
  const Shuffle shuffles[] = {
      {"intel_sub_group_shuffle(a, (lane * 3 + 1) % get_max_sub_group_size())",
       [](std::size_t lane, std::size_t size) { return (lane * 3 + 1) % size; }},
      {"intel_sub_group_shuffle_xor(a, 5)", [](std::size_t lane, std::size_t) { return lane ^ 5; }},
      {"intel_sub_group_shuffle_down(a, b, 3)", [](std::size_t lane, std::size_t) { return lane + 3; }},
      {"intel_sub_group_shuffle_up(b, a, 3)", [](std::size_t lane, std::size_t size) { return lane >= 3 ? lane - 3 : 2 * size + lane - 3; }},
      {"intel_sub_group_shuffle_down(a, b, lane % 7)", [](std::size_t lane, std::size_t) { return lane + lane % 7; }}};
  for (const std::string type : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"})
    for (const std::string width : {"", "2", "3", "4", "8", "16"})
      for (const Shuffle& shuffle : shuffles) {
        const std::string last = width.empty() ? "r" : width == "16" ? "r.sf" : "r.s" + std::to_string(std::stoi(width) - 1);
        const std::string source =
            "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
            "typedef " + type + " S;\ntypedef " + type + width + " T;\n"
            "kernel void k(global int* o) {\n"
            "  const uint lane = get_sub_group_local_id();\n"
            "  const T a = (T)((S)lane), b = (T)((S)(lane + get_max_sub_group_size()));\n"
            "  const T r = " + shuffle.call + ";\n"
            "  o[get_global_id(0)] = (int)" + last + ";\n}";
        const Program program = session.build(source);
        const Mem out = session.buffer(n * 4);
        session.launch(session.kernel(program, "k"), {{n}, {n}}, out);
        const auto got = session.download<cl_int>(out, n);
        for (std::size_t lane = 0; lane < n; ++lane)
          ASSERT_EQ(got[lane], static_cast<cl_int>(shuffle.place(lane, n))) << type << width << ' ' << shuffle.call << ", lane " << lane;
      }
}

TEST_F(IntelSubGroups, SmallTypes) {
  const std::size_t n = lanes();
  const Program program = session.build(R"(
#define ALL(T) kernel void of_##T(global int* o) { \
  const T x = (T)(get_sub_group_local_id() % 4 + 1); \
  global int* p = o + 10 * get_global_id(0); \
  p[0] = intel_sub_group_reduce_add(x); p[1] = intel_sub_group_reduce_min(x); p[2] = intel_sub_group_reduce_max(x); \
  p[3] = intel_sub_group_scan_inclusive_add(x); p[4] = intel_sub_group_scan_exclusive_add(x); \
  p[5] = intel_sub_group_scan_inclusive_min(x); p[6] = intel_sub_group_scan_inclusive_max(x); \
  p[7] = intel_sub_group_broadcast(x, 2); p[8] = intel_sub_group_broadcast((T##4)(x, x, x, x + 1), 2).w; \
  p[9] = intel_sub_group_scan_exclusive_min(x) > 100; }
ALL(char) ALL(uchar) ALL(short) ALL(ushort))");
  for (const char* name : {"of_char", "of_uchar", "of_short", "of_ushort"}) {
    const Mem out = session.buffer(n * 40);
    session.launch(session.kernel(program, name), {{n}, {n}}, out);
    const auto got = session.download<cl_int>(out, n * 10);
    int sum = 0;
    for (std::size_t lane = 0; lane < n; ++lane) {
      const cl_int* p = &got[lane * 10];
      const int x = static_cast<int>(lane % 4) + 1, most = std::min<int>(static_cast<int>(lane) + 1, 4);
      const int expected[] = {static_cast<int>(n / 4 * 10), 1, 4, sum + x, sum, 1, most, 3, 4, lane == 0};
      for (unsigned i = 0; i < 10; ++i) ASSERT_EQ(p[i], expected[i]) << name << ", value " << i << ", lane " << lane;
      sum += x;
    }
  }
}

// An element of a block is for each work-item as many elements after the one before as a sub-group has lanes.
TEST_F(IntelSubGroups, BufferBlocks) {
  const std::size_t n = lanes();
  struct Type {
    const char *name, *suffix;
    bool has_16;
  };
  for (const auto& [name, suffix, has_16] : {Type{"uint", "", false}, {"uint", "_ui", false}, {"uchar", "_uc", true},
                                             {"ushort", "_us", true}, {"ulong", "_ul", false}})
    for (const std::size_t width : {1, 2, 4, 8, 16}) {
      if (width == 16 && !has_16) continue;
      const std::string digits = width == 1 ? "" : std::to_string(width), type = name + digits;
      const std::string source =
          "typedef " + std::string(name) + " S;\ntypedef " + type + " T;\n"
          "kernel void k(global const S* a, global S* b, global S* c) {\n"
          "  const size_t block = get_group_id(0) * " + std::to_string(width * n) + ";\n"
          "  const T x = intel_sub_group_block_read" + suffix + digits + "(a + block);\n"
          "  ((global T*)c)[get_global_id(0)] = x;\n"
          "  intel_sub_group_block_write" + suffix + digits + "(b + block, x + (T)(1));\n}";
      const Program program = session.build(source);
      const std::size_t bytes = std::string(name) == "uchar" ? 1 : std::string(name) == "ushort" ? 2 : std::string(name) == "uint" ? 4 : 8;
      const std::size_t count = 3 * n * width;
      std::vector<cl_uchar> in(count * bytes);
      for (std::size_t i = 0; i < count; ++i) in[i * bytes] = static_cast<cl_uchar>(i * 7 % 250);
      const Mem a = session.upload(in), b = session.buffer(in.size()), c = session.buffer(in.size());
      session.launch(session.kernel(program, "k"), {{3 * n}, {n}}, a, b, c);
      const auto written = session.download<cl_uchar>(b, in.size()), seen = session.download<cl_uchar>(c, in.size());
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(written[i * bytes], in[i * bytes] + 1) << type << ' ' << i;
        const std::size_t item = i / width, group = item / n;
        ASSERT_EQ(seen[i * bytes], in[(group * n * width + item % n + i % width * n) * bytes]) << type << ' ' << i;
      }
    }
}

// Rows of bytes, whatever the texels; beyond an edge the texel there, and no write.
TEST_F(IntelSubGroups, ImageBlocks) {
  const std::size_t n = lanes(), width = 2 * n + 3, height = 5;
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = width;
  description.image_height = height;
  std::vector<cl_uint> texels(width * height);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<cl_uint>(i * 2654435761u);
  cl_int error = CL_SUCCESS;
  const Mem in(clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description, texels.data(), &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const std::vector<cl_uint> zeros(width * height);
  const Mem to(clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &description, const_cast<cl_uint*>(zeros.data()), &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const Program program = session.build(R"(
kernel void words(read_only image2d_t in, write_only image2d_t to, int2 at, global uint2* out) {
  const uint2 x = intel_sub_group_block_read2(in, at);
  out[get_global_id(0)] = x;
  intel_sub_group_block_write2(to, at, x);
}
kernel void bytes(read_only image2d_t in, int2 at, global uchar* out) { out[get_global_id(0)] = intel_sub_group_block_read_uc(in, at); }
kernel void longs(read_only image2d_t in, int2 at, global ulong* out) { out[get_global_id(0)] = intel_sub_group_block_read_ul(in, at); })");
  const std::size_t origin[3] = {}, whole[3] = {width, height, 1};
  const auto texel = [&](long x, long y) {
    return texels[static_cast<std::size_t>(std::clamp<long>(y, 0, height - 1)) * width + static_cast<std::size_t>(std::clamp<long>(x, 0, width - 1))];
  };
  for (const cl_int2 at : {cl_int2{{8, 1}}, cl_int2{{-12, -1}}, cl_int2{{static_cast<cl_int>(width * 4 - 16), 4}}}) {
    const long x0 = at.s[0] / 4, y0 = at.s[1];
    const Mem words = session.buffer(n * 8), bytes = session.buffer(n), longs = session.buffer(n * 8);
    check(clEnqueueFillImage(queue, to, zeros.data(), origin, whole, 0, nullptr, nullptr), "clEnqueueFillImage");
    session.launch(session.kernel(program, "words"), {{n}, {n}}, in, to, at, words);
    session.launch(session.kernel(program, "bytes"), {{n}, {n}}, in, at, bytes);
    session.launch(session.kernel(program, "longs"), {{n}, {n}}, in, at, longs);
    const auto got = session.download<cl_uint2>(words, n);
    const auto got_bytes = session.download<cl_uchar>(bytes, n);
    const auto got_longs = session.download<cl_ulong>(longs, n);
    for (long lane = 0; lane < static_cast<long>(n); ++lane) {
      const auto i = static_cast<std::size_t>(lane);
      for (int row = 0; row < 2; ++row) ASSERT_EQ(got[i].s[row], texel(x0 + lane, y0 + row)) << x0 << ',' << lane << ',' << row;
      ASSERT_EQ(got_bytes[i], texel(x0 + (lane >> 2), y0) >> 8 * (lane & 3) & 255) << x0 << ',' << lane;
      ASSERT_EQ(got_longs[i], texel(x0 + 2 * lane, y0) | cl_ulong{texel(x0 + 2 * lane + 1, y0)} << 32) << x0 << ',' << lane;
    }
    std::vector<cl_uint> written(width * height);
    check(clEnqueueReadImage(queue, to, CL_TRUE, origin, whole, 0, 0, written.data(), 0, nullptr, nullptr), "clEnqueueReadImage");
    for (long y = 0; y < static_cast<long>(height); ++y)
      for (long x = 0; x < static_cast<long>(width); ++x) {
        const bool is_inside = x >= x0 && x < x0 + static_cast<long>(n) && y >= y0 && y < y0 + 2;
        ASSERT_EQ(written[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)], is_inside ? texel(x, y) : 0) << x << ',' << y;
      }
  }
}

// The functions are there where they are named, for nobody else: a program's own names stand.
TEST_F(IntelSubGroups, NamesOfTheProgram) {
  const Program program = session.build(
      "int intel_sub_group_of_mine(int x) { return x + 1; }\n"
      "kernel void k(global int* o) { o[0] = intel_sub_group_of_mine(41); }");
  const Mem out = session.buffer(4);
  session.launch(session.kernel(program, "k"), {{1}, {1}}, out);
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], 42);
  const std::string unknown = "kernel void k(global uint* o) { o[0] = intel_sub_group_block_read5(o); }";
  EXPECT_EQ(error_of([&] { session.build(unknown); }), CL_BUILD_PROGRAM_FAILURE);
}

TEST_F(IntelSubGroups, RequiredSize) {
  if (!has_extension("cl_intel_required_subgroup_size")) GTEST_SKIP() << "no cl_intel_required_subgroup_size";
  std::size_t bytes = 0;
  ASSERT_EQ(clGetDeviceInfo(device, kSubGroupSizes, 0, nullptr, &bytes), CL_SUCCESS);
  std::vector<std::size_t> sizes(bytes / sizeof(std::size_t));
  ASSERT_EQ(clGetDeviceInfo(device, kSubGroupSizes, bytes, sizes.data(), nullptr), CL_SUCCESS);
  ASSERT_FALSE(sizes.empty());
  const auto source = [](std::size_t size) {
    return "#define SIZE " + std::to_string(size) +
           "\nkernel __attribute__((intel_reqd_sub_group_size(SIZE))) void k(global uint* o) { o[get_global_id(0)] = get_max_sub_group_size(); }"
           "\nkernel void any(global uint* o) {}";
  };
  for (const std::size_t size : sizes) {
    const Program program = session.build(source(size));
    const Kernel kernel = session.kernel(program, "k"), any = session.kernel(program, "any");
    std::size_t says = 77;
    ASSERT_EQ(clGetKernelSubGroupInfo(kernel, device, kCompileSubGroupSize, 0, nullptr, sizeof says, &says, nullptr), CL_SUCCESS);
    EXPECT_EQ(says, size);
    ASSERT_EQ(clGetKernelSubGroupInfo(any, device, kCompileSubGroupSize, 0, nullptr, sizeof says, &says, nullptr), CL_SUCCESS);
    EXPECT_EQ(says, 0u);
    cl_ulong spilled = 77;
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device, kSpillMemory, sizeof spilled, &spilled, nullptr), CL_SUCCESS);
    const Mem out = session.buffer(4 * 64);
    session.launch(kernel, {{64}, {64}}, out);
    EXPECT_EQ(session.download<cl_uint>(out, 64)[63], size);
  }
  EXPECT_EQ(error_of([&] { session.build(source(24)); }), CL_BUILD_PROGRAM_FAILURE);
}

}  // namespace
}  // namespace weft::conformance
