// Sub-groups (OpenCL C 3.0 §6.15.19, cl_khr_subgroup_*): each function against the host's own computation from what each work-item
// passed, over whole sub-groups and over those work-items alone that take a branch; of the device's own size and of those that kernels
// may require (cl_intel_required_subgroup_size).
#include <algorithm>
#include <bit>

#include "api/sub_group_sizes.h"

namespace weft::conformance {
namespace {

constexpr std::size_t kLocals[] = {64, 40, 27, 16, 11, 8, 1};

class SubGroups : public SubGroupSizes {
 protected:
  void SetUp() override {
    cl_uint most = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, nullptr) != CL_SUCCESS || most == 0)
      GTEST_SKIP() << "the device has no sub-groups";
    SubGroupSizes::SetUp();
  }

  /// What a work-item sees of its sub-group: where it is, and the values of those that take part, by lane.
  struct View {
    unsigned lane;
    unsigned size;  ///< work-items of the sub-group
    std::vector<std::uint32_t> values;
    std::uint32_t takes_part;
    std::uint32_t own() const { return values[lane]; }
  };
  using Host = std::function<std::uint32_t(const View&)>;

  /// Runs `expression` of `x`, a uint, for all work-items and for those with an odd or large `x`; the others give 7.
  void expect(const std::string& expression, const Host& host) {
    const std::string source = R"(
kernel void ids(global uint4* out) {
  out[get_global_id(0)] = (uint4)(get_sub_group_id(), get_sub_group_local_id(), get_sub_group_size(), 0);
}
kernel void all_of_them(global const uint* in, global uint* out) {
  const uint lane = get_sub_group_local_id();
  const uint x = in[get_global_id(0)];
  out[get_global_id(0)] = )" + expression + R"(;
}
kernel void some(global const uint* in, global uint* out) {
  const uint lane = get_sub_group_local_id();
  const uint x = in[get_global_id(0)];
  uint r = 7;
  if (x % 2 == 1 || x > 200) r = )" + expression + R"(;
  out[get_global_id(0)] = r;
})";
    const Program program = build(source, "-cl-std=CL3.0");
    for (const std::size_t local : kLocals) {
      const std::size_t count = local * 3;
      std::vector<std::uint32_t> in(count);
      std::uint32_t state = static_cast<std::uint32_t>(local);
      for (std::uint32_t& value : in) value = (state = state * 1664525u + 1013904223u) >> 24;
      const Mem places = session.buffer(count * 16), from = session.upload(in), to = session.upload(in);
      session.launch(session.kernel(program, "ids"), {{count}, {local}}, places);
      const auto ids = session.download<cl_uint4>(places, count);
      for (const char* name : {"all_of_them", "some"}) {
        const bool is_all = name[0] == 'a';
        session.launch(session.kernel(program, name), {{count}, {local}}, from, to);
        const auto got = session.download<cl_uint>(to, count);
        for (std::size_t i = 0; i < count; ++i) {
          View view{ids[i].s[1], ids[i].s[2], std::vector<std::uint32_t>(64), 0};
          for (std::size_t k = i / local * local; k < (i / local + 1) * local; ++k)
            if (ids[k].s[0] == ids[i].s[0]) {
              view.values[ids[k].s[1]] = in[k];
              if (is_all || in[k] % 2 == 1 || in[k] > 200) view.takes_part |= 1u << ids[k].s[1];
            }
          const bool takes_part = view.takes_part >> view.lane & 1;
          ASSERT_EQ(got[i], takes_part ? host(view) : 7u) << expression << ", " << name << ", item " << i << " of groups of " << local;
        }
      }
    }
  }

  template <typename F>
  static std::uint32_t fold(const View& view, std::uint32_t start, std::uint32_t lanes, F combine) {
    for (unsigned lane = 0; lane < 32; ++lane)
      if ((view.takes_part & lanes) >> lane & 1) start = combine(start, view.values[lane]);
    return start;
  }
  static std::uint32_t up_to(const View& view) { return ~0u >> (31 - view.lane); }
  static std::uint32_t before(const View& view) { return ~(~0u << view.lane); }
  static std::uint32_t cluster(const View& view, unsigned size) {
    return (size == 32 ? ~0u : (1u << size) - 1) << (view.lane & ~(size - 1));
  }
};

INSTANTIATE_TEST_SUITE_P(, SubGroups, kAnyRequiredSize, SubGroupSizes::name);

const auto plus = [](std::uint32_t a, std::uint32_t b) { return a + b; };
const auto least = [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); };
const auto most = [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); };

TEST_P(SubGroups, AreRunsOfLinearIds) {
  WEFT_ONLY("32 work-items, if no other size is required, in the order of their linear ids");
  const unsigned lanes = required() ? required() : 32;
  const Program program = build(R"(
kernel void k(global uint* out) {
  const size_t i = get_global_linear_id() * 6;
  out[i] = get_sub_group_id(); out[i + 1] = get_sub_group_local_id(); out[i + 2] = get_sub_group_size();
  out[i + 3] = get_num_sub_groups(); out[i + 4] = get_max_sub_group_size(); out[i + 5] = (uint)get_local_linear_id();
})", "-cl-std=CL3.0");
  const Kernel kernel = session.kernel(program, "k");
  for (const Range& range : {Range{{64}, {64}, {}}, Range{{10, 9}, {5, 9}, {}}, Range{{4, 6, 8}, {4, 6, 4}, {}}, Range{{3}, {1}, {}}}) {
    const std::size_t count = range.items();
    std::size_t size = 1;
    for (const std::size_t local : range.local) size *= local;
    const Mem to = session.buffer(count * 24);
    session.launch(kernel, range, to);
    const auto got = session.download<cl_uint>(to, count * 6);
    for (std::size_t i = 0; i < count; ++i) {
      const cl_uint* item = got.data() + i * 6;
      EXPECT_EQ(item[0], item[5] / lanes);
      EXPECT_EQ(item[1], item[5] % lanes);
      EXPECT_EQ(item[2], std::min<std::size_t>(lanes, size - item[0] * lanes));
      EXPECT_EQ(item[3], (size + lanes - 1) / lanes);
      EXPECT_EQ(item[4], lanes);
    }
  }
}

TEST_P(SubGroups, Votes) {
  if (!has_extension("cl_khr_subgroup_non_uniform_vote")) GTEST_SKIP() << "no cl_khr_subgroup_non_uniform_vote";
  expect("sub_group_non_uniform_any(x > 250)", [](const View& v) { return fold(v, 0, ~0u, [](auto a, auto b) { return a | (b > 250); }); });
  expect("sub_group_non_uniform_all(x > 9)", [](const View& v) { return fold(v, 1, ~0u, [](auto a, auto b) { return a & (b > 9); }); });
  expect("sub_group_elect()", [](const View& v) { return std::uint32_t{static_cast<unsigned>(std::countr_zero(v.takes_part)) == v.lane}; });
  expect("sub_group_non_uniform_all_equal(x >> 7)", [](const View& v) {
    const std::uint32_t first = v.values[static_cast<unsigned>(std::countr_zero(v.takes_part))] >> 7;
    return fold(v, 1, ~0u, [&](auto a, auto b) { return a & (b >> 7 == first); });
  });
}

TEST_P(SubGroups, Ballots) {
  if (!has_extension("cl_khr_subgroup_ballot")) GTEST_SKIP() << "no cl_khr_subgroup_ballot";
  const auto votes = [](const View& v) {
    std::uint32_t bits = 0;
    for (unsigned lane = 0; lane < 32; ++lane) bits |= std::uint32_t{(v.takes_part >> lane & 1) && v.values[lane] > 99} << lane;
    return bits;
  };
  expect("sub_group_ballot(x > 99).x", votes);
  expect("sub_group_ballot_bit_count(sub_group_ballot(x > 99))", [&](const View& v) { return std::popcount(votes(v)); });
  expect("sub_group_ballot_inclusive_scan(sub_group_ballot(x > 99))", [&](const View& v) { return std::popcount(votes(v) & up_to(v)); });
  expect("sub_group_ballot_exclusive_scan(sub_group_ballot(x > 99))", [&](const View& v) { return std::popcount(votes(v) & before(v)); });
  expect("sub_group_ballot_find_lsb(sub_group_ballot(1))", [](const View& v) { return std::countr_zero(v.takes_part); });
  expect("sub_group_ballot_find_msb(sub_group_ballot(1))", [](const View& v) { return 31 - std::countl_zero(v.takes_part); });
  expect("sub_group_inverse_ballot(sub_group_ballot(x > 99))", [&](const View& v) { return votes(v) >> v.lane & 1; });
  expect("sub_group_ballot_bit_extract(sub_group_ballot(x > 99), x % 8)", [&](const View& v) { return votes(v) >> v.own() % 8 & 1; });
  expect("(get_sub_group_le_mask().x & sub_group_ballot(1).x) - (get_sub_group_lt_mask().x & sub_group_ballot(1).x)",
         [](const View& v) { return 1u << v.lane; });
  expect("popcount(get_sub_group_ge_mask().x) - popcount(get_sub_group_gt_mask().x) + (get_sub_group_eq_mask().x << 1)",
         [](const View& v) { return 1 + (2u << v.lane); });
  expect("(get_sub_group_ge_mask().x & sub_group_ballot(x > 99).x)", [&](const View& v) { return votes(v) & ~before(v); });
  expect("sub_group_broadcast_first(x)", [](const View& v) { return v.values[static_cast<unsigned>(std::countr_zero(v.takes_part))]; });
  expect("sub_group_non_uniform_broadcast(x, sub_group_ballot_find_msb(sub_group_ballot(1)))",
         [](const View& v) { return v.values[static_cast<unsigned>(31 - std::countl_zero(v.takes_part))]; });
}

TEST_P(SubGroups, Arithmetic) {
  if (!has_extension("cl_khr_subgroup_non_uniform_arithmetic")) GTEST_SKIP() << "no cl_khr_subgroup_non_uniform_arithmetic";
  expect("sub_group_non_uniform_reduce_add(x)", [](const View& v) { return fold(v, 0, ~0u, plus); });
  expect("sub_group_non_uniform_reduce_max((uchar)x)", [](const View& v) { return fold(v, 0, ~0u, most); });
  expect("sub_group_non_uniform_scan_inclusive_add((ushort)x)", [](const View& v) { return fold(v, 0, up_to(v), plus); });
  expect("sub_group_non_uniform_scan_exclusive_add(x)", [](const View& v) { return fold(v, 0, before(v), plus); });
  expect("sub_group_non_uniform_scan_inclusive_min((ulong)x)", [](const View& v) { return fold(v, ~0u, up_to(v), least); });
  expect("sub_group_non_uniform_scan_exclusive_max((int)x - 1000) + 1000",
         [](const View& v) { return fold(v, 0x80000000u + 1000, before(v), [](auto a, auto b) { return static_cast<std::uint32_t>(std::max(static_cast<int>(a - 1000), static_cast<int>(b - 1000))) + 1000; }); });
  expect("(uint)sub_group_non_uniform_reduce_add((float)x)", [](const View& v) { return fold(v, 0, ~0u, plus); });
  expect("(uint)sub_group_non_uniform_scan_inclusive_add((double)x)", [](const View& v) { return fold(v, 0, up_to(v), plus); });
  expect("(uint)sub_group_non_uniform_reduce_min((float)x)", [](const View& v) { return fold(v, ~0u, ~0u, least); });
  expect("sub_group_non_uniform_reduce_mul(x | 1)", [](const View& v) { return fold(v, 1, ~0u, [](auto a, auto b) { return a * (b | 1); }); });
  expect("sub_group_non_uniform_scan_exclusive_xor(x)", [](const View& v) { return fold(v, 0, before(v), [](auto a, auto b) { return a ^ b; }); });
  expect("sub_group_non_uniform_scan_exclusive_logical_and(x > 20)", [](const View& v) { return fold(v, 1, before(v), [](auto a, auto b) { return a & (b > 20); }); });
  expect("sub_group_non_uniform_reduce_logical_xor(x > 99)", [](const View& v) { return fold(v, 0, ~0u, [](auto a, auto b) { return a ^ (b > 99); }); });
}

TEST_P(SubGroups, Clusters) {
  if (!has_extension("cl_khr_subgroup_clustered_reduce")) GTEST_SKIP() << "no cl_khr_subgroup_clustered_reduce";
  for (const unsigned size : {1u, 4u, required() ? required() : 32u}) {
    const std::string text = std::to_string(size) + "u)";
    expect("sub_group_clustered_reduce_add(x, " + text, [&](const View& v) { return fold(v, 0, cluster(v, size), plus); });
    expect("sub_group_clustered_reduce_max((char)(x >> 1), " + text, [&](const View& v) { return fold(v, 0, cluster(v, size), [](auto a, auto b) { return std::max(a, b >> 1); }); });
  }
}

TEST_P(SubGroups, Shuffles) {
  if (!has_extension("cl_khr_subgroup_shuffle_relative") || !has_extension("cl_khr_subgroup_rotate"))
    GTEST_SKIP() << "no cl_khr_subgroup_shuffle_relative or _rotate";
  // From work-items that take part alone: its own value otherwise.
  const auto read = [](const std::string& value, const std::string& from, const std::string& call) {
    return "(sub_group_ballot(1).x >> ((" + from + ") & 31) & 1) ? (uint)" + call + " : " + value;
  };
  const auto of = [](const View& v, unsigned lane) { return v.takes_part >> (lane & 31) & 1 ? v.values[lane & 31] : v.own(); };
  for (const char* type : {"uchar", "ushort", "float", "double"}) {
    const std::string x = std::string("(") + type + ")x";
    expect(read("x", "x", "sub_group_shuffle(" + x + ", x % 32)"), [&](const View& v) { return of(v, v.own()); });
    expect(read("x", "lane ^ 5", "sub_group_shuffle_xor(" + x + ", 5u)"), [&](const View& v) { return of(v, v.lane ^ 5); });
    expect(read("x", "lane ^ (x & 3)", "sub_group_shuffle_xor(" + x + ", x & 3)"), [&](const View& v) { return of(v, v.lane ^ (v.own() & 3)); });
    expect(read("x", "lane - min(lane, 3u)", "sub_group_shuffle_up(" + x + ", min(lane, 3u))"), [&](const View& v) { return of(v, v.lane - std::min(v.lane, 3u)); });
    expect(read("x", "lane + 1", "sub_group_shuffle_down(" + x + ", 1u)"), [&](const View& v) { return of(v, v.lane + 1); });
    expect(read("x", "(lane + 3) % get_sub_group_size()", "sub_group_rotate(" + x + ", 3)"), [&](const View& v) { return of(v, (v.lane + 3) % v.size); });
    expect(read("x", "(lane & ~7u) + ((lane + 3) & 7)", "sub_group_clustered_rotate(" + x + ", 3, 8u)"),
           [&](const View& v) { return of(v, (v.lane & ~7u) + ((v.lane + 3) & 7)); });
  }
}

// A loop that each work-item leaves at its own time, with a reduction over those that are left.
TEST_P(SubGroups, WithinLoops) {
  if (!has_extension("cl_khr_subgroup_non_uniform_arithmetic")) GTEST_SKIP() << "no cl_khr_subgroup_non_uniform_arithmetic";
  const Program program = build(R"(
kernel void k(global uint* out) {
  const uint lane = get_sub_group_local_id();
  uint sum = 0;
  for (uint i = 0; i < lane % 5; ++i) sum = sum * 3 + sub_group_non_uniform_reduce_add(lane + i);
  while (!sub_group_non_uniform_all(sum > 1000)) sum += 1 + lane;
  out[get_global_id(0)] = sum;
})", "-cl-std=CL3.0");
  const Mem to = session.buffer(64 * 4);
  session.launch(session.kernel(program, "k"), {{64}, {32}}, to);
  const auto got = session.download<cl_uint>(to, 64);
  const unsigned lanes = required() ? required() : 32;
  std::vector<std::uint32_t> sums(lanes, 0);
  for (unsigned i = 0; i < 4; ++i) {
    std::uint32_t total = 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (i < lane % 5) total += lane + i;
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (i < lane % 5) sums[lane] = sums[lane] * 3 + total;
  }
  while (*std::min_element(sums.begin(), sums.end()) <= 1000)
    for (unsigned lane = 0; lane < lanes; ++lane) sums[lane] += 1 + lane;
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(got[i], sums[i % lanes]) << i;
}

TEST_P(SubGroups, OfTheWholeGroup) {
  cl_bool has_collectives = CL_FALSE;
  check(clGetDeviceInfo(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof has_collectives, &has_collectives, nullptr), "collectives");
  if (!has_collectives) GTEST_SKIP() << "no work-group collectives";
  const Program program = build(R"(
kernel void k(global const int* in, global int8* out, global float2* floats) {
  const size_t i = get_global_linear_id();
  const int x = in[i];
  const int last = (int)work_group_broadcast(x, get_local_size(0) - 1, get_local_size(1) - 1);
  out[i] = (int8)(work_group_reduce_add(x), work_group_scan_inclusive_add(x), work_group_scan_exclusive_add(x), work_group_reduce_min(x),
                  (int)work_group_scan_inclusive_max((long)x), last, work_group_any(x > 125), work_group_all(x > 2));
  floats[i] = (float2)(work_group_reduce_max((float)x), work_group_scan_exclusive_add((float)x));
})", "-cl-std=CL3.0");
  const Kernel kernel = session.kernel(program, "k");
  for (const Range& range : {Range{{64, 2}, {32, 2}, {}}, Range{{99, 3}, {33, 1}, {}}, Range{{3, 1}, {1, 1}, {}}, Range{{100, 10}, {50, 10}, {}}}) {
    const std::size_t count = range.items(), size = range.local[0] * range.local[1];
    std::vector<cl_int> in(count);
    for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<cl_int>(i * 37 % 127 + 1);
    const Mem from = session.upload(in), to = session.buffer(count * 32), floats = session.buffer(count * 8);
    session.launch(kernel, range, from, to, floats);
    const auto got = session.download<cl_int8>(to, count);
    const auto got_floats = session.download<cl_float2>(floats, count);
    const std::size_t groups_along_x = range.global[0] / range.local[0];
    for (std::size_t group = 0; group < count / size; ++group) {
      // The group's work-items in the order of their local ids.
      std::vector<std::size_t> items;
      for (std::size_t y = 0; y < range.local[1]; ++y)
        for (std::size_t x = 0; x < range.local[0]; ++x)
          items.push_back((group / groups_along_x * range.local[1] + y) * range.global[0] + group % groups_along_x * range.local[0] + x);
      cl_int sum = 0, least_value = 1 << 30, most_value = 0;
      for (const std::size_t i : items) {
        sum += in[i];
        least_value = std::min(least_value, in[i]);
        most_value = std::max(most_value, in[i]);
      }
      cl_int so_far = 0, most_so_far = 0;
      for (const std::size_t i : items) {
        EXPECT_EQ(got_floats[i].s[1], static_cast<float>(so_far));
        EXPECT_EQ(got[i].s[2], so_far);
        so_far += in[i];
        most_so_far = std::max(most_so_far, in[i]);
        EXPECT_EQ(got[i].s[0], sum);
        EXPECT_EQ(got[i].s[1], so_far);
        EXPECT_EQ(got[i].s[3], least_value);
        EXPECT_EQ(got[i].s[4], most_so_far);
        EXPECT_EQ(got[i].s[5], in[items.back()]);
        EXPECT_EQ(got[i].s[6], most_value > 125);
        EXPECT_EQ(got[i].s[7], least_value > 2);
        ASSERT_EQ(got_floats[i].s[0], static_cast<float>(most_value)) << i;
      }
    }
  }
}

/// Loops that take the work-items of one key after the other, and leave with what they have computed together.
TEST_P(SubGroups, LeaveALoopTogether) {
  if (!has_extension("cl_khr_subgroup_ballot") || !has_extension("cl_khr_subgroup_non_uniform_arithmetic"))
    GTEST_SKIP() << "no ballots or non-uniform arithmetic";
  const Program program = build(R"(
uint2 of_this_key(uint x) { return (uint2)(sub_group_ballot(1).x, sub_group_non_uniform_reduce_add(x)); }
kernel void by_break(global const uint* in, global uint2* out) {
  const uint x = in[get_global_id(0)];
  uint2 r = 0;
  while (1) {
    const uint first = sub_group_broadcast_first(x % 5);
    if (x % 5 == first) {
      r = of_this_key(x);
      break;
    }
  }
  out[get_global_id(0)] = r;
}
kernel void by_last_break(global const uint* in, global uint2* out) {
  const uint x = in[get_global_id(0)];
  uint2 r = 0;
  while (1) {
    const uint first = sub_group_broadcast_first(x % 5);
    if (x % 5 != first) continue;
    r = of_this_key(x);
    break;
  }
  out[get_global_id(0)] = r;
}
kernel void by_return(global const uint* in, global uint2* out) {
  const uint x = in[get_global_id(0)];
  for (uint i = 0; i < 8; ++i) {
    if (x % 5 == i) {
      out[get_global_id(0)] = of_this_key(x);
      return;
    }
  }
}
kernel void by_goto(global const uint* in, global uint2* out) {
  const uint x = in[get_global_id(0)];
  uint2 r = 0;
  for (uint i = 0; i < 8; ++i) {
    uint k = 0;
    do {
      if (x % 5 == i * 2 + k) {
        r = of_this_key(x);
        goto found;
      }
    } while (++k < 2);
  }
found:
  out[get_global_id(0)] = r;
})", "-cl-std=CL3.0");
  for (const char* name : {"by_break", "by_last_break", "by_return", "by_goto"}) {
    for (const std::size_t local : {std::size_t{32}, std::size_t{20}}) {
      const std::size_t count = local * 3;
      std::vector<cl_uint> in(count);
      for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<cl_uint>(i * i * 7 + 3) % 101;
      const Mem from = session.upload(in), to = session.buffer(count * sizeof(cl_uint2));
      const Kernel kernel = session.kernel(program, name);
      std::size_t width = 0;
      ASSERT_EQ(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, &local, sizeof width, &width, nullptr),
                CL_SUCCESS);
      session.launch(kernel, {{count}, {local}}, from, to);
      const auto got = session.download<cl_uint2>(to, count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t group = i / local * local, first = group + (i - group) / width * width;
        cl_uint ballot = 0, sum = 0;
        for (std::size_t k = first; k < std::min(first + width, group + local); ++k) {
          if (in[k] % 5 != in[i] % 5) continue;
          ballot |= 1u << (k - first);
          sum += in[k];
        }
        ASSERT_EQ(got[i].s[0], ballot) << name << ", item " << i << " of groups of " << local;
        ASSERT_EQ(got[i].s[1], sum) << name << ", item " << i << " of groups of " << local;
      }
    }
  }
}

TEST_P(SubGroups, Queries) {
  WEFT_ONLY("sub-groups of 32 where no other size is required");
  const std::size_t lanes = required() ? required() : 32;
  const Program program = build("kernel void k(global int* x) { *x = 1; }");
  const Kernel kernel = session.kernel(program, "k");
  const auto ask = [&](cl_kernel_sub_group_info name, const std::vector<std::size_t>& input, std::vector<std::size_t> output) {
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device, name, input.size() * sizeof(std::size_t), input.data(), output.size() * sizeof(std::size_t),
                                      output.data(), nullptr),
              CL_SUCCESS);
    return output;
  };
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {16, 16}, Sizes(1)), (Sizes{lanes}));
  EXPECT_EQ(ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {5, 9}, Sizes(1)), (Sizes{(45 + lanes - 1) / lanes}));
  EXPECT_EQ(ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {4}, Sizes(3)), (Sizes{4 * lanes, 1, 1}));
  EXPECT_EQ(ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {1000000}, Sizes(2)), (Sizes{0, 0}));
  EXPECT_EQ(ask(CL_KERNEL_MAX_NUM_SUB_GROUPS, {}, Sizes(1)), (Sizes{1024 / lanes}));
  EXPECT_EQ(ask(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, {}, Sizes(1)), (Sizes{0}));
  std::size_t size = 0;
  const std::size_t local = 64;
  EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, nullptr, sizeof size, &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local, &local, 1, &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device, 0x1234, sizeof local, &local, sizeof size, &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetKernelSubGroupInfo(nullptr, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof size, &size, nullptr), CL_INVALID_KERNEL);
}

}  // namespace
}  // namespace weft::conformance
