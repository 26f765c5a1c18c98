// cl_intel_subgroups with _char, _short and _long, of the device's own size and of those that kernels may require.
#include <algorithm>

#include "api/sub_group_sizes.h"

namespace weft::conformance {
namespace {

class IntelSubGroups : public SubGroupSizes {
 protected:
  void SetUp() override {
    if (!has_extension("cl_intel_subgroups")) GTEST_SKIP() << "no cl_intel_subgroups";
    SubGroupSizes::SetUp();
  }

  /// Lanes of a sub-group.
  std::size_t lanes() {
    const Program program = build("kernel void k(global uint* o) { o[get_global_id(0)] = get_max_sub_group_size(); }");
    const Mem out = session.buffer(4);
    session.launch(session.kernel(program, "k"), {{1}, {1}}, out);
    return session.download<cl_uint>(out, 1)[0];
  }
  /// Sub-groups of a work-group: several where their size is known beforehand.
  std::size_t sub_groups() const { return required() ? 3 : 1; }
};
INSTANTIATE_TEST_SUITE_P(, IntelSubGroups, kAnyRequiredSize, SubGroupSizes::name);

struct Shuffle {
  const char* call;
  /// The work-item whose value comes: of `a` below the number of lanes, above it of `b`.
  std::size_t (*place)(std::size_t lane, std::size_t lanes);
};

TEST_P(IntelSubGroups, Shuffles) {
  const std::size_t n = lanes(), items = n * sub_groups();
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
            "  const uint first = 2 * get_max_sub_group_size() * get_sub_group_id();\n"
            "  const T a = (T)((S)(first + lane)), b = (T)((S)(first + lane + get_max_sub_group_size()));\n"
            "  const T r = " + shuffle.call + ";\n"
            "  o[get_global_id(0)] = (int)" + last + ";\n}";
        const Program program = build(source);
        const Mem out = session.buffer(items * 4);
        session.launch(session.kernel(program, "k"), {{items}, {items}}, out);
        const auto got = session.download<cl_int>(out, items);
        for (std::size_t i = 0; i < items; ++i)
          ASSERT_EQ(got[i], static_cast<cl_int>(i / n * 2 * n + shuffle.place(i % n, n))) << type << width << ' ' << shuffle.call << ", item " << i;
      }
}

TEST_P(IntelSubGroups, SmallTypes) {
  const std::size_t n = lanes(), items = n * sub_groups();
  const Program program = build(R"(
#define ALL(T) kernel void of_##T(global int* o) { \
  const T x = (T)(get_sub_group_local_id() % 4 + 1 + get_sub_group_id()); \
  global int* p = o + 10 * get_global_id(0); \
  p[0] = intel_sub_group_reduce_add(x); p[1] = intel_sub_group_reduce_min(x); p[2] = intel_sub_group_reduce_max(x); \
  p[3] = intel_sub_group_scan_inclusive_add(x); p[4] = intel_sub_group_scan_exclusive_add(x); \
  p[5] = intel_sub_group_scan_inclusive_min(x); p[6] = intel_sub_group_scan_inclusive_max(x); \
  p[7] = intel_sub_group_broadcast(x, 2); p[8] = intel_sub_group_broadcast((T##4)(x, x, x, x + 1), 2).w; \
  p[9] = intel_sub_group_scan_exclusive_min(x) > 100; }
ALL(char) ALL(uchar) ALL(short) ALL(ushort))");
  for (const char* name : {"of_char", "of_uchar", "of_short", "of_ushort"}) {
    const Mem out = session.buffer(items * 40);
    session.launch(session.kernel(program, name), {{items}, {items}}, out);
    const auto got = session.download<cl_int>(out, items * 10);
    int sum = 0;
    for (std::size_t i = 0; i < items; ++i) {
      const std::size_t lane = i % n;
      if (lane == 0) sum = 0;
      const cl_int* p = &got[i * 10];
      const int more = static_cast<int>(i / n), x = static_cast<int>(lane % 4) + 1 + more, most = std::min<int>(static_cast<int>(lane) + 1, 4) + more;
      const int all = static_cast<int>(n / 4 * 10) + static_cast<int>(n) * more;
      const int expected[] = {all, 1 + more, 4 + more, sum + x, sum, 1 + more, most, 3 + more, 4 + more, lane == 0};
      for (unsigned k = 0; k < 10; ++k) ASSERT_EQ(p[k], expected[k]) << name << ", value " << k << ", item " << i;
      sum += x;
    }
  }
}

// An element of a block is for each work-item as many elements after the one before as a sub-group has lanes.
TEST_P(IntelSubGroups, BufferBlocks) {
  const std::size_t n = lanes(), items = n * sub_groups();
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
          "  const size_t block = (get_group_id(0) * get_num_sub_groups() + get_sub_group_id()) * " + std::to_string(width * n) + ";\n"
          "  const T x = intel_sub_group_block_read" + suffix + digits + "(a + block);\n"
          "  ((global T*)c)[get_global_id(0)] = x;\n"
          "  intel_sub_group_block_write" + suffix + digits + "(b + block, x + (T)(1));\n}";
      const Program program = build(source);
      const std::size_t bytes = std::string(name) == "uchar" ? 1 : std::string(name) == "ushort" ? 2 : std::string(name) == "uint" ? 4 : 8;
      const std::size_t count = 3 * items * width;
      std::vector<cl_uchar> in(count * bytes);
      for (std::size_t i = 0; i < count; ++i) in[i * bytes] = static_cast<cl_uchar>(i * 7 % 250);
      const Mem a = session.upload(in), b = session.buffer(in.size()), c = session.buffer(in.size());
      session.launch(session.kernel(program, "k"), {{3 * items}, {items}}, a, b, c);
      const auto written = session.download<cl_uchar>(b, in.size()), seen = session.download<cl_uchar>(c, in.size());
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(written[i * bytes], in[i * bytes] + 1) << type << ' ' << i;
        const std::size_t item = i / width, group = item / n;
        ASSERT_EQ(seen[i * bytes], in[(group * n * width + item % n + i % width * n) * bytes]) << type << ' ' << i;
      }
    }
}

// Rows of bytes, whatever the texels; beyond an edge the texel there, and no write.
TEST_P(IntelSubGroups, ImageBlocks) {
  const std::size_t n = lanes(), items = n * sub_groups(), width = 2 * n + 3, height = 5;
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
  const Program program = build(R"(
kernel void words(read_only image2d_t in, write_only image2d_t to, int2 at, global uint2* out) {
  at.y += get_sub_group_id();
  const uint2 x = intel_sub_group_block_read2(in, at);
  out[get_global_id(0)] = x;
  intel_sub_group_block_write2(to, at, x);
}
kernel void bytes(read_only image2d_t in, int2 at, global uchar* out) { out[get_global_id(0)] = intel_sub_group_block_read_uc(in, at + (int2)(0, get_sub_group_id())); }
kernel void longs(read_only image2d_t in, int2 at, global ulong* out) { out[get_global_id(0)] = intel_sub_group_block_read_ul(in, at + (int2)(0, get_sub_group_id())); })");
  const std::size_t origin[3] = {}, whole[3] = {width, height, 1};
  const auto texel = [&](long x, long y) {
    return texels[static_cast<std::size_t>(std::clamp<long>(y, 0, height - 1)) * width + static_cast<std::size_t>(std::clamp<long>(x, 0, width - 1))];
  };
  for (const cl_int2 at : {cl_int2{{8, 1}}, cl_int2{{-12, -1}}, cl_int2{{static_cast<cl_int>(width * 4 - 16), 4}}}) {
    const long x0 = at.s[0] / 4, y0 = at.s[1];
    const Mem words = session.buffer(items * 8), bytes = session.buffer(items), longs = session.buffer(items * 8);
    check(clEnqueueFillImage(queue, to, zeros.data(), origin, whole, 0, nullptr, nullptr), "clEnqueueFillImage");
    session.launch(session.kernel(program, "words"), {{items}, {items}}, in, to, at, words);
    session.launch(session.kernel(program, "bytes"), {{items}, {items}}, in, at, bytes);
    session.launch(session.kernel(program, "longs"), {{items}, {items}}, in, at, longs);
    const auto got = session.download<cl_uint2>(words, items);
    const auto got_bytes = session.download<cl_uchar>(bytes, items);
    const auto got_longs = session.download<cl_ulong>(longs, items);
    for (std::size_t i = 0; i < items; ++i) {
      const long lane = static_cast<long>(i % n), y = y0 + static_cast<long>(i / n);
      for (int row = 0; row < 2; ++row) ASSERT_EQ(got[i].s[row], texel(x0 + lane, y + row)) << x0 << ',' << i << ',' << row;
      ASSERT_EQ(got_bytes[i], texel(x0 + (lane >> 2), y) >> 8 * (lane & 3) & 255) << x0 << ',' << i;
      ASSERT_EQ(got_longs[i], texel(x0 + 2 * lane, y) | cl_ulong{texel(x0 + 2 * lane + 1, y)} << 32) << x0 << ',' << i;
    }
    std::vector<cl_uint> written(width * height);
    check(clEnqueueReadImage(queue, to, CL_TRUE, origin, whole, 0, 0, written.data(), 0, nullptr, nullptr), "clEnqueueReadImage");
    for (long y = 0; y < static_cast<long>(height); ++y)
      for (long x = 0; x < static_cast<long>(width); ++x) {
        const bool is_inside = x >= x0 && x < x0 + static_cast<long>(n) && y >= y0 && y < y0 + 1 + static_cast<long>(sub_groups());
        ASSERT_EQ(written[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)], is_inside ? texel(x, y) : 0) << x << ',' << y;
      }
  }
}

using IntelSubGroupNames = ApiTest;

// The functions are there where they are named, for nobody else: a program's own names stand.
TEST_F(IntelSubGroupNames, AreTheProgramsToo) {
  if (!has_extension("cl_intel_subgroups")) GTEST_SKIP() << "no cl_intel_subgroups";
  const Program program = session.build(
      "int intel_sub_group_of_mine(int x) { return x + 1; }\n"
      "kernel void k(global int* o) { o[0] = intel_sub_group_of_mine(41); }");
  const Mem out = session.buffer(4);
  session.launch(session.kernel(program, "k"), {{1}, {1}}, out);
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], 42);
  const std::string unknown = "kernel void k(global uint* o) { o[0] = intel_sub_group_block_read5(o); }";
  EXPECT_EQ(error_of([&] { session.build(unknown); }), CL_BUILD_PROGRAM_FAILURE);
}

}  // namespace
}  // namespace weft::conformance
