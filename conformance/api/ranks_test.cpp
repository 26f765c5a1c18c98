// Places that follow from ranks: what some work-items choose lies together, in their order, or backwards, with gaps, or for fewer of them
// than have ranks. An implementation may take the lanes of a warp for neighbours where they are.
#include <algorithm>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

// TYPE is of the elements, CHOSEN says whether `x` is chosen, PLACE where it goes: by `rank`, the number of chosen ones before it in its
// group, and `all`, that of all of them.
constexpr const char* kSource = R"(
kernel void together(global const TYPE* in, global TYPE* out) {
  const size_t first = get_group_id(0) * get_local_size(0);
  const TYPE x = in[first + get_local_id(0)];
  const uint one = CHOSEN;
  const uint rank = work_group_scan_exclusive_add(one), all = work_group_reduce_add(one);
  if (one && (ALSO)) out[2 * first + (PLACE)] = x;
}
kernel void apart(global const TYPE* in, global TYPE* out) {
  const size_t first = get_group_id(0) * get_local_size(0);
  const TYPE x = in[first + get_local_id(0)];
  const uint one = CHOSEN;
  const uint rank = work_group_scan_exclusive_add(one), all = work_group_reduce_add(one);
  TYPE y = 77;
  if (one && (ALSO)) y = in[first + (PLACE) % get_local_size(0)];
  out[first + get_local_id(0)] = y;
}
kernel void counted(global const TYPE* in, global TYPE* out) {
  local uint count;
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const size_t first = get_group_id(0) * get_local_size(0);
  const TYPE x = in[first + get_local_id(0)];
  if (CHOSEN) out[2 * first + atomic_inc(&count)] = x;
})";

class Ranks : public ApiTest {
 protected:
  static constexpr std::size_t kItems = 1920;

  void SetUp() override {
    ApiTest::SetUp();
    cl_bool has_collectives = CL_FALSE;
    clGetDeviceInfo(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof has_collectives, &has_collectives, nullptr);
    if (!has_collectives) GTEST_SKIP() << "no work-group collectives";
  }

  template <typename T>
  static bool is_chosen(T x, int kind) {
    const auto number = static_cast<std::int64_t>(x);
    return kind == 0 ? number % 3 == 0 : number % 64 < 33;
  }
  static constexpr const char* kChosen[] = {"(long)x % 3 == 0", "(long)x % 64 < 33"};

  template <typename T>
  void check_type(const std::string& type) {
    std::vector<T> in(kItems);
    std::uint32_t state = 7;
    for (T& x : in) x = static_cast<T>(static_cast<std::int32_t>(state = state * 1664525u + 1013904223u) >> 12);
    struct Way {
      const char *place, *also;
      std::size_t (*at)(std::size_t rank, std::size_t all);
      bool (*is_also)(std::size_t rank);
    };
    const Way ways[] = {
        {"rank", "1", [](std::size_t rank, std::size_t) { return rank; }, [](std::size_t) { return true; }},
        {"all - 1 - rank", "1", [](std::size_t rank, std::size_t all) { return all - 1 - rank; }, [](std::size_t) { return true; }},
        {"2 * rank", "1", [](std::size_t rank, std::size_t) { return 2 * rank; }, [](std::size_t) { return true; }},
        {"rank", "rank % 5 != 2", [](std::size_t rank, std::size_t) { return rank; }, [](std::size_t rank) { return rank % 5 != 2; }},
        {"rank / 2", "rank % 2", [](std::size_t rank, std::size_t) { return rank / 2; }, [](std::size_t rank) { return rank % 2 != 0; }},
    };
    for (int kind = 0; kind < 2; ++kind)
      for (const Way& way : ways) {
        const std::string definitions = "#define TYPE " + type + "\n#define CHOSEN (" + kChosen[kind] + ")\n#define ALSO " + way.also +
                                        "\n#define PLACE " + way.place + "\n";
        const Program program = session.build(definitions + kSource, "-cl-std=CL3.0");
        for (const std::size_t local : {32, 192, 48}) check_ways<T>(program, in, kind, way, local);
      }
  }

  template <typename T, typename Way>
  void check_ways(const Program& program, const std::vector<T>& in, int kind, const Way& way, std::size_t local) {
    const Mem from = session.upload(in), together = session.upload(std::vector<T>(2 * kItems, T(55))), apart = session.upload(in);
    const Mem counted = session.upload(std::vector<T>(2 * kItems, T(55)));
    session.launch(session.kernel(program, "together"), {{kItems}, {local}}, from, together);
    session.launch(session.kernel(program, "apart"), {{kItems}, {local}}, from, apart);
    session.launch(session.kernel(program, "counted"), {{kItems}, {local}}, from, counted);
    std::vector<T> expected(2 * kItems, T(55)), spread(kItems, T(77)), chosen(2 * kItems, T(55));
    for (std::size_t first = 0; first < kItems; first += local) {
      std::vector<std::size_t> items;
      for (std::size_t i = first; i < first + local; ++i)
        if (is_chosen(in[i], kind)) items.push_back(i);
      for (std::size_t rank = 0; rank < items.size(); ++rank) {
        chosen[2 * first + rank] = in[items[rank]];
        if (!way.is_also(rank)) continue;
        const std::size_t at = way.at(rank, items.size());
        expected[2 * first + at] = in[items[rank]];
        spread[items[rank]] = in[first + at % local];
      }
    }
    EXPECT_EQ(session.download<T>(together, 2 * kItems), expected) << way.place << ", " << kChosen[kind] << ", groups of " << local;
    EXPECT_EQ(session.download<T>(apart, kItems), spread) << way.place << ", " << kChosen[kind] << ", groups of " << local;
    // In any order.
    auto got = session.download<T>(counted, 2 * kItems);
    for (std::size_t first = 0; first < kItems; first += local) {
      const auto sort = [&](std::vector<T>& values) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(2 * first);
        std::sort(begin, begin + static_cast<std::ptrdiff_t>(2 * local));
      };
      sort(got);
      sort(chosen);
    }
    EXPECT_EQ(got, chosen) << kChosen[kind] << ", groups of " << local;
  }
};

TEST_F(Ranks, OfInts) { check_type<cl_int>("int"); }
TEST_F(Ranks, OfLongs) { check_type<cl_long>("long"); }
TEST_F(Ranks, OfShorts) { check_type<cl_short>("short"); }

}  // namespace
}  // namespace weft::conformance
