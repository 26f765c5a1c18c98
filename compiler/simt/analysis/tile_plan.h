// Plans how the lanes of a tiled access (tiled_access.h) pass through registers (transpose.h).
#pragma once

#include <optional>

#include <llvm/ADT/SmallVector.h>

#include "compiler/simt/analysis/tiled_access.h"
#include "compiler/simt/ir/transpose.h"

namespace weft::compiler::simt {

struct TilePlan {
  unsigned inner = 0;  ///< log2 of the units of a register
  unsigned run = 0;    ///< log2 of the neighbours in a column that one access covers
  LanePlaces places;   ///< before the transpose
  llvm::SmallVector<unsigned, 6> wanted;  ///< the lowest places after it
};

/// nullopt if a gather or scatter is better.
std::optional<TilePlan> plan_tile(const LaneBlock& block, const TiledAccess& access, bool is_store, unsigned register_bits);

}  // namespace weft::compiler::simt
