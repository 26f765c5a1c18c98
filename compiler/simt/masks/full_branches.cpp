#include "compiler/simt/masks/full_branches.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/simt/analysis/even_conditions.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/inside_bounds.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Value;

/// Of all that is copied in one region.
constexpr unsigned kMostInstructions = 300;

/// A branch, and the blocks between it and where both its ways meet, which one of them skips.
struct Bounded {
  BranchInst* branch = nullptr;
  BasicBlock* join = nullptr;
  llvm::SetVector<BasicBlock*> blocks;  ///< the first is the branch's successor
  unsigned instructions = 0;

  bool enters_if() const { return branch->getSuccessor(0) == blocks.front(); }
};

class FullBranches {
 public:
  FullBranches(llvm::Function& region, const Shapes& shapes, Analyses& analyses)
      : region_(region),
        shapes_(shapes),
        uniformity_(analyses.uniformity(region)),
        dominators_(analyses.functions().getResult<llvm::DominatorTreeAnalysis>(region)),
        ends_(analyses.functions().getResult<llvm::PostDominatorTreeAnalysis>(region)) {}

  bool run() {
    llvm::SmallVector<Bounded, 4> chosen;
    unsigned instructions = 0;
    for (BasicBlock& block : region_) {
      auto bounded = bounded_by(block);
      if (!bounded || instructions + bounded->instructions > kMostInstructions) continue;
      // Of one bound in another the outer has the code that all lanes run.
      const auto overlaps = [&](const Bounded& other) { return bounded->blocks.contains(other.blocks.front()) || other.blocks.contains(&block); };
      if (llvm::any_of(chosen, overlaps)) continue;
      instructions += bounded->instructions;
      chosen.push_back(std::move(*bounded));
    }
    for (const Bounded& bounded : chosen) copy(bounded);
    return !chosen.empty();
  }

 private:
  std::optional<Bounded> bounded_by(BasicBlock& head) const {
    auto* branch = llvm::dyn_cast<BranchInst>(head.getTerminator());
    if (!branch || !branch->isConditional() || !uniformity_.hasDivergentTerminator(head)) return std::nullopt;
    const auto* node = ends_.getNode(&head);
    BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!join || (branch->getSuccessor(0) == join) == (branch->getSuccessor(1) == join)) return std::nullopt;
    const bool beyond = branch->getSuccessor(0) == join;
    if (!is_bound_of_range(*branch->getCondition(), beyond, shapes_)) return std::nullopt;
    Bounded found{.branch = branch, .join = join, .blocks = {}};
    found.blocks.insert(branch->getSuccessor(beyond ? 1 : 0));
    if (found.blocks.front()->getUniquePredecessor() != &head) return std::nullopt;
    bool follows = false;
    for (unsigned at = 0; at < found.blocks.size(); ++at) {
      BasicBlock* block = found.blocks[at];
      if (!dominators_.dominates(found.blocks.front(), block)) return std::nullopt;
      for (const llvm::Instruction& instruction : block->instructionsWithoutDebug()) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if ((call && call->cannotDuplicate()) || ++found.instructions > kMostInstructions) return std::nullopt;
        follows |= follows_lanes(instruction);
      }
      for (BasicBlock* next : llvm::successors(block))
        if (next != join) found.blocks.insert(next);
    }
    return follows ? std::optional(std::move(found)) : std::nullopt;
  }

  /// Whether it reads or writes places that lie side by side as the lanes do.
  bool follows_lanes(const llvm::Instruction& instruction) const {
    const Value* address = llvm::getLoadStorePointerOperand(&instruction);
    return address && shapes_[*address].is_affine() && shapes_[*address].stride != 0;
  }

  void copy(const Bounded& bounded) {
    BasicBlock* head = bounded.branch->getParent();
    llvm::ValueToValueMapTy copies;
    llvm::SmallVector<BasicBlock*, 8> copied;
    for (BasicBlock* block : bounded.blocks) {
      copied.push_back(llvm::CloneBasicBlock(block, copies, ".full", &region_));
      copied.back()->moveBefore(bounded.blocks.front());
      copies[block] = copied.back();
    }
    llvm::remapInstructionsInBlocks(copied, copies);
    auto* rest = BasicBlock::Create(region_.getContext(), "rest", &region_, bounded.blocks.front());
    bounded.blocks.front()->replacePhiUsesWith(head, rest);
    copied.front()->replacePhiUsesWith(head, head);
    for (llvm::PHINode& phi : bounded.join->phis()) {
      for (BasicBlock* block : bounded.blocks) {
        const int at = phi.getBasicBlockIndex(block);
        if (at < 0) continue;
        Value* value = phi.getIncomingValue(static_cast<unsigned>(at));
        const auto found = copies.find(value);
        phi.addIncoming(found == copies.end() ? value : static_cast<Value*>(found->second), llvm::cast<BasicBlock>(copies[block]));
      }
      phi.replaceIncomingBlockWith(head, rest);
    }
    bounded.branch->moveBefore(*rest, rest->end());
    llvm::IRBuilder<> builder(head);
    Value* condition = bounded.branch->getCondition();
    if (!bounded.enters_if()) condition = builder.CreateNot(condition);
    const auto vote = region_.getParent()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());
    builder.CreateCondBr(builder.CreateCall(vote, condition, "all"), copied.front(), rest);
  }

  llvm::Function& region_;
  const Shapes& shapes_;
  llvm::UniformityInfo& uniformity_;
  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& ends_;
};

}  // namespace

bool run_full_branches_first(llvm::Function& region, const Shapes& shapes, Analyses& analyses) {
  // Warps inside have a copy of their own already.
  if (inside_branch(region) || !FullBranches(region, shapes, analyses).run()) return false;
  analyses.invalidate(region);
  return true;
}

}  // namespace weft::compiler::simt
