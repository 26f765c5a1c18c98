#include "compiler/simt/masks/full_copy.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/analysis/even_conditions.h"
#include "compiler/simt/ir/block_copies.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Value;

namespace {

/// On the branches of what there is a copy of.
constexpr llvm::StringLiteral kRestMetadata = "weft.rest";

}  // namespace

bool Guarded::enters_if() const { return branch->getSuccessor(0) == blocks.front(); }

std::optional<Guarded> guarded_by(BasicBlock& front, const Shapes& shapes, std::size_t most_instructions) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(front.getTerminator());
  if (!branch || !branch->isConditional()) return std::nullopt;
  for (const bool enters_if : {true, false}) {
    Guarded guarded{.branch = branch, .join = branch->getSuccessor(enters_if ? 1 : 0), .blocks = {}};
    BasicBlock* first = branch->getSuccessor(enters_if ? 0 : 1);
    if (first == guarded.join) continue;
    if (!branch->hasMetadata(kBeyondGroupsMetadata) && !is_bound_of_range(*branch->getCondition(), !enters_if, shapes)) continue;
    guarded.blocks.insert(first);
    std::size_t count = 0;
    for (unsigned i = 0; i < guarded.blocks.size(); ++i) {
      count += guarded.blocks[i]->sizeWithoutDebug();
      for (BasicBlock* next : llvm::successors(guarded.blocks[i]))
        if (next != guarded.join) guarded.blocks.insert(next);
    }
    // All of it is reached through its first block, from there alone.
    const bool is_closed = !guarded.blocks.contains(&front) && llvm::all_of(guarded.blocks, [&](BasicBlock* block) {
      return llvm::all_of(llvm::predecessors(block), [&](BasicBlock* from) {
        return guarded.blocks.contains(from) || (from == &front && block == first);
      });
    });
    const bool ends_apart = llvm::any_of(guarded.blocks, [](const BasicBlock* block) { return llvm::succ_empty(block); });
    if (is_closed && !ends_apart && count <= most_instructions) return guarded;
  }
  return std::nullopt;
}

llvm::SmallVector<BasicBlock*, 16> copy_for_all_lanes(llvm::Function& region, const Guarded& guarded) {
  llvm::LLVMContext& context = region.getContext();
  BasicBlock* front = guarded.branch->getParent();
  BasicBlock* first = guarded.blocks.front();
  llvm::ValueToValueMapTy copies;
  const auto made = clone_blocks(guarded.blocks.getArrayRef(), ".full", first, copies);
  auto* rest = BasicBlock::Create(context, "rest", &region, first);
  for (BasicBlock* block : guarded.blocks) block->getTerminator()->setMetadata(kRestMetadata, llvm::MDNode::get(context, {}));
  join_copies(guarded.blocks.getArrayRef(), copies);
  guarded.join->replacePhiUsesWith(front, rest);
  first->replacePhiUsesWith(front, rest);
  const bool enters_if = guarded.enters_if();
  Value* condition = guarded.branch->getCondition();
  guarded.branch->moveBefore(*rest, rest->end());
  llvm::IRBuilder<> builder(front);
  if (!enters_if) condition = builder.CreateNot(condition);
  const auto vote = region.getParent()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());
  builder.CreateCondBr(builder.CreateCall(vote, condition, "all"), made.front(), rest, llvm::MDBuilder(context).createLikelyBranchWeights());
  return made;
}

bool has_full_copy(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const BasicBlock* block) { return block->getTerminator()->hasMetadata(kRestMetadata); });
}

}  // namespace weft::compiler::simt
