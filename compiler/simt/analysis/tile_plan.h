// How the lanes of a tiled access (tiled_access.h) go through registers (ir/transpose.h).
#pragma once

#include <optional>

#include <llvm/ADT/SmallVector.h>

#include "compiler/simt/analysis/tiled_access.h"
#include "compiler/simt/ir/transpose.h"

namespace weft::compiler::simt {

struct TilePlan {
  unsigned inner = 0;  ///< log2 of the units of a register
  unsigned run = 0;    ///< log2 of the neighbours of a column that one access takes
  LanePlaces places;   ///< of the lanes as they come
  llvm::SmallVector<unsigned, 6> wanted;  ///< bits of lane numbers that a register's lowest places are to hold
};

/// None where no registers serve, or a gather or scatter is better.
std::optional<TilePlan> plan_tile(const LaneBlock& block, const TiledAccess& access, bool is_store, unsigned register_bits);

}  // namespace weft::compiler::simt
