// Which work-items of a group run each block, as far as branches are known for each of them (lane_values.h).
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>

#include "compiler/simt/analysis/lane_values.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class LoopInfo;
class PostDominatorTree;
}  // namespace llvm

namespace weft::compiler::simt {

class BlockLanes {
 public:
  struct Lanes {
    llvm::BitVector possible, certain;  ///< that run a block
  };

  BlockLanes(llvm::Function& item, LaneValues& values, const llvm::DominatorTree& dominators, const llvm::PostDominatorTree& post_dominators,
             const llvm::LoopInfo& loops);

  const Lanes& operator[](const llvm::BasicBlock& block) const { return lanes_of_.find(&block)->second; }

 private:
  llvm::BitVector taken(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const llvm::BitVector& lanes, bool if_unknown);

  LaneValues& values_;
  llvm::DenseMap<const llvm::BasicBlock*, Lanes> lanes_of_;
};

}  // namespace weft::compiler::simt
