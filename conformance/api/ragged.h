// Launches whose global size is no multiple of the local size, and what work-items are told in them.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "api/fixture.h"

namespace weft::conformance {

using Sizes = std::array<std::size_t, 3>;

inline const std::vector<Range> kRaggedRanges = {
    {{1}, {64}},        {{100}, {64}},           {{130}, {32}, {7}},          {{1000}, {7}},
    {{257}, {1}},       {{33, 9}, {16, 4}},      {{5, 40}, {8, 16}, {3, 11}}, {{64, 7}, {32, 2}},
    {{130, 3}, {3, 2}}, {{9, 10, 11}, {4, 4, 4}}, {{2, 3, 5}, {4, 4, 4}, {1, 2, 3}}, {{40, 6, 7}, {33, 2, 2}}};

inline Sizes sizes(const std::vector<std::size_t>& given, std::size_t fallback) {
  Sizes all{fallback, fallback, fallback};
  std::ranges::copy(given, all.begin());
  return all;
}
inline std::size_t product(const Sizes& s) { return s[0] * s[1] * s[2]; }

struct Item {
  Sizes id, local_id, group, local_size;
  std::size_t local_linear() const { return (local_id[2] * local_size[1] + local_id[1]) * local_size[0] + local_id[0]; }
};

/// Calls `check(item, its place)` for all work-items of the range.
template <typename Check>
void for_each(const Range& range, Check check) {
  const Sizes global = sizes(range.global, 1), local = sizes(range.local, 1);
  for (std::size_t at = 0; at < product(global); ++at) {
    Item item;
    item.id = {at % global[0], at / global[0] % global[1], at / global[0] / global[1]};
    for (unsigned d = 0; d < 3; ++d) {
      item.local_id[d] = item.id[d] % local[d];
      item.group[d] = item.id[d] / local[d];
      item.local_size[d] = std::min(local[d], global[d] - item.group[d] * local[d]);
    }
    check(item, at);
  }
}

/// The kernel `ids` of `program` writes 24 numbers for each work-item: three each of its global id, local id, group, local size, enqueued local
/// size, number of groups and offset, its linear ids, and the enqueued local size of a dimension that there is not.
inline void check_ids(Session& session, cl_program program, bool of_dimension_3) {
  const Kernel kernel = session.kernel(program, "ids");
  for (const Range& range : kRaggedRanges) {
    const Sizes global = sizes(range.global, 1), local = sizes(range.local, 1), offset = sizes(range.offset, 0);
    const Mem out = session.buffer(product(global) * 24 * 8);
    session.launch(kernel, range, out);
    const auto got = session.download<cl_ulong>(out, product(global) * 24);
    for_each(range, [&](const Item& item, std::size_t at) {
      const cl_ulong* o = &got[at * 24];
      for (unsigned d = 0; d < 3; ++d) {
        ASSERT_EQ(o[d], item.id[d] + offset[d]) << at;
        ASSERT_EQ(o[3 + d], item.local_id[d]) << at;
        ASSERT_EQ(o[6 + d], item.group[d]) << at;
        ASSERT_EQ(o[9 + d], item.local_size[d]) << at;
        ASSERT_EQ(o[12 + d], local[d]) << at;
        ASSERT_EQ(o[15 + d], (global[d] + local[d] - 1) / local[d]) << at;
        ASSERT_EQ(o[18 + d], offset[d]) << at;
      }
      ASSERT_EQ(o[21], at);
      ASSERT_EQ(o[22], item.local_linear()) << at;
      if (of_dimension_3) {
        ASSERT_EQ(o[23], 1u);
      }
    });
  }
}

}  // namespace weft::conformance
