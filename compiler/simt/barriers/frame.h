// Where a warp keeps the values that live across barriers.
#pragma once

#include <llvm/IR/DataLayout.h>

#include <cstdint>
#include <vector>

#include "compiler/simt/barriers/regions.h"

namespace weft::compiler::simt {

/// Where the values that live across barriers lie in a warp's part of GroupInfo::scratch.
struct WarpFrame {
  struct Field {
    std::uint64_t offset = 0;  ///< bytes from the start of the warp's part
    bool uniform = false;      ///< one scalar; otherwise W lanes, of a vector component by component, or packed (widen/packed_values.h)
    bool of_call = false;      ///< Slot's
  };
  std::vector<Field> slots;
  struct Private {
    std::uint64_t offset = 0;  ///< bytes from the start of the warp's part to lane 0's copy
    std::uint64_t stride = 0;  ///< bytes from a lane's copy to the next one's
  };
  std::vector<Private> privates;
  std::uint64_t bytes = 0;  ///< of the whole frame, a multiple of 128
};

/// Lays out a warp's frame for `set`, for W = `lanes`.
WarpFrame lay_out_frame(const RegionSet& set, unsigned lanes, const llvm::DataLayout& layout);

}  // namespace weft::compiler::simt
