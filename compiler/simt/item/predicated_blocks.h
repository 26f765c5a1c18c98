// Which branches a GPU's compiler replaces by predicates, and what its instructions count as.
#pragma once

#include "compiler/simt/analysis/uniformity.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace llvm {
class BasicBlock;
class BranchInst;
class Function;
class Instruction;
class LoopInfo;
class PostDominatorTree;
}  // namespace llvm

namespace weft::compiler::simt {

/// Operations that a GPU executes for `instruction`, which computes: of a vector, one for each element; none for what is an operand
/// of another instruction (phis, casts of pointers, constant offsets).
unsigned arithmetic_operations(const llvm::Instruction& instruction);

/// A condition that controls at most 7 instructions, or 4 if it is the same in all lanes, is no branch: all lanes issue those
/// instructions, under a predicate (Best Practices Guide §6.2). Nor is a condition on which work-items end: the exit itself is
/// predicated (conformance/silicon/h200.tsv, divergent_copy, and h200-2.tsv, early_return: no branches).
class PredicatedBlocks {
 public:
  PredicatedBlocks(llvm::Function& item, const llvm::UniformityInfo& uniformity, const llvm::PostDominatorTree& ends,
                   const llvm::LoopInfo& loops);

  bool is_branch(const llvm::BranchInst& branch) const { return !predicates_.contains(&branch); }
  /// The block at whose end the predicate of `block` is; null where it has none.
  const llvm::BasicBlock* condition_of(const llvm::BasicBlock& block) const { return conditions_.lookup(&block); }

 private:
  void look_at(const llvm::BranchInst& branch, unsigned most);

  const llvm::PostDominatorTree& ends_;
  const llvm::LoopInfo& loops_;
  llvm::DenseSet<const llvm::BranchInst*> predicates_;
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> conditions_;
};

}  // namespace weft::compiler::simt
