// Which part of a warp's lanes comes to code of the program's, as far as branches tell.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/UniformityAnalysis.h>

#include "compiler/simt/analysis/shape.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class ICmpInst;
class Loop;
class LoopInfo;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Of a function whose control flow is one work-item's yet.
class LaneShares {
 public:
  using ShapeOf = llvm::function_ref<Shape(const llvm::Value&)>;

  LaneShares(llvm::UniformityInfo& uniformity, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators);

  /// Lanes of a warp that come to `loop`, if any does.
  double live_lanes(const llvm::Loop& loop, ShapeOf shape) const;

  /// How often a lane alone gets to each block of `loop` for each time that it gets to the header of the innermost loop around that block: of the ways
  /// that lanes part on it takes one.
  llvm::DenseMap<const llvm::BasicBlock*, double> of_blocks(const llvm::Loop& loop, ShapeOf shape) const;

  /// The comparison at the end of `block` if it asks whether something is the number that each lane has of its own, as for a row's element of the diagonal
  /// of a matrix: one of many is. Null otherwise.
  const llvm::ICmpInst* asks_for_own_number(const llvm::BasicBlock& block, ShapeOf shape) const;

 private:
  /// Of the lanes that come to `from`, those that get to `to`, as far as `most` branches tell; all where they do not.
  double share_reaching(const llvm::BasicBlock& from, const llvm::BasicBlock& to, ShapeOf shape, unsigned most) const;
  double share_of(const llvm::Value& condition, bool holds, ShapeOf shape) const;

  llvm::UniformityInfo& uniformity_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> guards_;  ///< of all loops
};

}  // namespace weft::compiler::simt
