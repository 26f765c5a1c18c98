// The order in which the groups of a launch run.
#pragma once

#include <algorithm>
#include <cstdint>

namespace weft::device {

/// Row by row, x fastest; or in squares of groups, row by row within each. Where the groups of a row share data and those of
/// a column share other data, a square's groups find both in a near cache; row by row the columns' data would come from
/// afar again and again. Squares are better than columns of a panel where rows of data lie a power of two apart: then
/// a column's data does not stay in the cache, and only the neighbour's, next in the same row, is at hand. OpenCL promises
/// no order.
class GroupOrder {
 public:
  /// Groups along a square's side. What they share should fit a second-level cache: at 16 work-items a group and 4 KiB a
  /// row of data 512 KiB for each direction.
  static constexpr std::uint64_t kSide = 8;
  static_assert((kSide & (kSide - 1)) == 0);

  GroupOrder() = default;
  GroupOrder(const std::uint64_t (&groups)[3], bool squares)
      : groups_{groups[0], groups[1], groups[2]}, side_(squares ? kSide : 1) {}

  std::uint64_t count() const { return groups_[0] * groups_[1] * groups_[2]; }

  /// The group at `index` of the order.
  void start(std::uint64_t index, std::uint64_t (&id)[3]) const {
    const std::uint64_t slice = groups_[0] * groups_[1];
    id[2] = index / slice;
    index %= slice;
    const std::uint64_t first_row = index / (groups_[0] * side_) * side_;
    index -= first_row * groups_[0];
    const std::uint64_t rows = std::min(side_, groups_[1] - first_row);
    const std::uint64_t first_column = index / (rows * side_) * side_;
    index -= first_column * rows;
    const std::uint64_t columns = std::min(side_, groups_[0] - first_column);
    id[0] = first_column + index % columns;
    id[1] = first_row + index / columns;
  }

  /// From one group to the next.
  void next(std::uint64_t (&id)[3]) const {
    if (side_ == 1) {
      if (++id[0] < groups_[0]) return;
      id[0] = 0;
      if (++id[1] < groups_[1]) return;
    } else {
      const std::uint64_t first_column = id[0] & ~(side_ - 1);
      const std::uint64_t first_row = id[1] & ~(side_ - 1);
      const std::uint64_t columns_end = std::min(first_column + side_, groups_[0]);
      const std::uint64_t rows_end = std::min(first_row + side_, groups_[1]);
      if (++id[0] < columns_end) return;
      id[0] = first_column;
      if (++id[1] < rows_end) return;
      id[0] = columns_end;
      id[1] = first_row;
      if (columns_end < groups_[0]) return;
      id[0] = 0;
      id[1] = rows_end;
      if (rows_end < groups_[1]) return;
    }
    id[1] = 0;
    ++id[2];
  }

 private:
  std::uint64_t groups_[3] = {0, 0, 0};
  std::uint64_t side_ = 1;  ///< of a square, a power of two
};

}  // namespace weft::device
