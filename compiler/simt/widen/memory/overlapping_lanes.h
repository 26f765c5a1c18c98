// Lanes that load OpenCL vectors closer together than these are long.
#pragma once

#include <optional>

namespace llvm {
class DataLayout;
class Type;
}  // namespace llvm

namespace weft::compiler {
struct VectorTraits;
}

namespace weft::compiler::simt {

struct Shape;

/// The elements of a segment of lanes, of which each has `count`, `step` behind those of the lane in front.
struct OverlappingRow {
  unsigned segment = 0;   ///< lanes
  unsigned count = 0;     ///< elements of a lane
  unsigned bytes = 0;     ///< of an element
  unsigned step = 0;      ///< elements from a lane's first one to the next one's
  bool is_back = false;   ///< the last lane's come first
  unsigned elements = 0;  ///< from the first lane's first one to the last lane's last one
  unsigned chunk = 0;     ///< that are loaded at a time
  unsigned together = 0;  ///< lanes that fill a register
  unsigned cost = 0;      ///< loads and shuffles of all segments

  /// Whether the lanes of a component lie side by side.
  bool is_by_component() const { return step == 1 && !is_back; }
  /// The number of a lane's component among the elements.
  unsigned element(unsigned lane, unsigned component) const { return (is_back ? segment - 1 - lane : lane) * step + component; }
  unsigned chunks() const { return (elements + chunk - 1) / chunk; }
};

/// If `lanes` lanes load `type`, an OpenCL vector, from addresses of `shape` that lie evenly and close, but not side by side, and to take each component out of
/// the row costs less than a gather or each lane's own load (overlapping_lanes.cpp).
std::optional<OverlappingRow> find_overlapping_row(llvm::Type& type, const Shape& shape, unsigned lanes, const VectorTraits& traits,
                                                   const llvm::DataLayout& layout);

}  // namespace weft::compiler::simt
