// What the strategies for loads and stores keep from one access of a function to the next.
#pragma once

#include <optional>

#include "compiler/simt/analysis/tiled_access.h"

namespace weft::compiler::simt {

struct MemoryState {
  std::optional<LaneBlock> block;      ///< how the lanes of a body lie in two dimensions
  std::optional<TiledAccesses> tiled;  ///< where that is known and tiled access is not left out
  bool many_lane_accesses = false;     ///< too many accesses go lane by lane to write them all out
  unsigned lanes_written_out = 0;      ///< of accesses lane by lane, so far
};

}  // namespace weft::compiler::simt
