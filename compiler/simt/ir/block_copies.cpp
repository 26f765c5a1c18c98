#include "compiler/simt/ir/block_copies.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Value;

llvm::SmallVector<BasicBlock*, 16> clone_blocks(llvm::ArrayRef<BasicBlock*> blocks, const llvm::Twine& suffix, BasicBlock* before,
                                                llvm::ValueToValueMapTy& copies) {
  llvm::SmallVector<BasicBlock*, 16> made;
  for (BasicBlock* block : blocks) {
    made.push_back(llvm::CloneBasicBlock(block, copies, suffix, block->getParent()));
    if (before) made.back()->moveBefore(before);
    copies[block] = made.back();
  }
  llvm::remapInstructionsInBlocks(made, copies);
  return made;
}

void join_copies(llvm::ArrayRef<BasicBlock*> blocks, const llvm::ValueToValueMapTy& copies) {
  const auto copy_of = [&](Value* value) {
    const auto copy = copies.find(value);
    return copy == copies.end() ? value : static_cast<Value*>(copy->second);
  };
  llvm::SmallPtrSet<const BasicBlock*, 32> both, own(blocks.begin(), blocks.end());
  for (BasicBlock* block : blocks) {
    both.insert(block);
    both.insert(llvm::cast<BasicBlock>(copy_of(block)));
    const llvm::SmallPtrSet<BasicBlock*, 4> behind(llvm::succ_begin(block), llvm::succ_end(block));
    for (BasicBlock* next : behind) {
      if (own.contains(next)) continue;
      for (llvm::PHINode& phi : next->phis())
        for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i)
          if (phi.getIncomingBlock(i) == block) phi.addIncoming(copy_of(phi.getIncomingValue(i)), llvm::cast<BasicBlock>(copy_of(block)));
    }
  }
  llvm::SSAUpdater values;
  for (BasicBlock* block : blocks)
    for (llvm::Instruction& instruction : *block) {
      llvm::SmallVector<llvm::Use*, 8> outside;
      for (llvm::Use& use : instruction.uses()) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        if (!both.contains(phi ? phi->getIncomingBlock(use) : user->getParent())) outside.push_back(&use);
      }
      if (outside.empty()) continue;
      values.Initialize(instruction.getType(), instruction.getName());
      values.AddAvailableValue(block, &instruction);
      values.AddAvailableValue(llvm::cast<BasicBlock>(copy_of(block)), copy_of(&instruction));
      for (llvm::Use* use : outside) values.RewriteUse(*use);
    }
}

}  // namespace weft::compiler::simt
