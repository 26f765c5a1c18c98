#include "compiler/simt/masks/full_copy.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Value;

bool Guarded::enters_if() const { return branch->getSuccessor(0) == blocks.front(); }

void copy_for_all_lanes(llvm::Function& region, const Guarded& guarded) {
  llvm::LLVMContext& context = region.getContext();
  BasicBlock* front = guarded.branch->getParent();
  BasicBlock* first = guarded.blocks.front();
  llvm::ValueToValueMapTy copies;
  llvm::SmallVector<BasicBlock*, 16> made;
  for (BasicBlock* block : guarded.blocks) {
    made.push_back(llvm::CloneBasicBlock(block, copies, ".full", &region));
    made.back()->moveBefore(first);
    copies[block] = made.back();
  }
  llvm::remapInstructionsInBlocks(made, copies);
  auto* rest = BasicBlock::Create(context, "rest", &region, first);
  for (llvm::PHINode& phi : guarded.join->phis()) {
    for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i) {
      const auto from = copies.find(phi.getIncomingBlock(i));
      if (from == copies.end()) continue;
      const auto value = copies.find(phi.getIncomingValue(i));
      phi.addIncoming(value == copies.end() ? phi.getIncomingValue(i) : static_cast<Value*>(value->second), llvm::cast<BasicBlock>(from->second));
    }
    phi.replaceIncomingBlockWith(front, rest);
  }
  first->replacePhiUsesWith(front, rest);
  const bool enters_if = guarded.enters_if();
  Value* condition = guarded.branch->getCondition();
  guarded.branch->moveBefore(*rest, rest->end());
  llvm::IRBuilder<> builder(front);
  if (!enters_if) condition = builder.CreateNot(condition);
  const auto vote = region.getParent()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());
  builder.CreateCondBr(builder.CreateCall(vote, condition, "all"), made.front(), rest, llvm::MDBuilder(context).createLikelyBranchWeights());
}

}  // namespace weft::compiler::simt
