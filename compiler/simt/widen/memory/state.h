// What the strategies for loads and stores keep from one access of a function to the next.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include "compiler/simt/analysis/tiled_access.h"

namespace weft::compiler::simt {

/// What strategy "texel-window" has found of the lanes' places, for loads that follow in the same block: the rows of a linear read have the same.
struct AskedWindow {
  const llvm::BasicBlock* block = nullptr;  ///< of the scalar code
  llvm::Value* places = nullptr;
  std::uint64_t most_apart = 0;  ///< that a window holds, in bytes
  unsigned lanes = 0;            ///< that share one
  bool is_padded = false;
  // In code behind the first load; those of one work-item's place hold where `fits` does.
  llvm::Value* fits = nullptr;
  llvm::Value* fits_half = nullptr;
  llvm::Value* places_in = nullptr;
  llvm::Value* span = nullptr;
  llvm::Value* back = nullptr;
};

struct MemoryState {
  std::optional<LaneBlock> block;      ///< how the lanes of a body lie in two dimensions
  std::optional<TiledAccesses> tiled;  ///< where that is known and tiled access is not left out
  /// Of the scalar code: where accesses lane by lane are loops, as they are too many to write them all out.
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> with_loops_over_lanes;
  bool has_few_lists = false;          ///< texels.h
  unsigned lanes_written_out = 0;      ///< of accesses lane by lane, so far
  unsigned scatters_counted = 0;       ///< whose lanes are counted, so that few store one after the other
  /// Accesses that were asked whether their lanes have parts of two rows alone (two_rows.cpp, two_places.cpp): each has a way of its own for lanes that
  /// lie otherwise, and of more than kMostRowsAsked a region the code would take long to make.
  unsigned rows_asked = 0;
  static constexpr unsigned kMostRowsAsked = 128;
  llvm::BasicBlock* way = nullptr;     ///< where the access begins that is being widened, and not one of several ways to do it
  AskedWindow window;                  ///< the last
  // Of the scalar code, where they are asked for.
  std::unique_ptr<llvm::DominatorTree> dominators;
  std::unique_ptr<llvm::LoopInfo> loops;
};

}  // namespace weft::compiler::simt
