#include "compiler/wide/brought_parts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler::wide {

using llvm::Instruction;

void bring_to_users(llvm::BasicBlock& block) {
  llvm::DenseMap<const Instruction*, unsigned> writes;  // in front of it
  unsigned written = 0;
  for (Instruction& instruction : block) {
    writes[&instruction] = written;
    written += instruction.mayWriteToMemory() ? 1 : 0;
  }
  llvm::SmallVector<Instruction*, 128> brought;
  for (Instruction& instruction : llvm::reverse(block)) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load ? load->isSimple() : llvm::isa<llvm::ShuffleVectorInst, llvm::BitCastInst, llvm::InsertElementInst, llvm::GetElementPtrInst>(instruction))
      brought.push_back(&instruction);
  }
  for (Instruction* instruction : brought) {
    if (llvm::isInstructionTriviallyDead(instruction)) {
      instruction->eraseFromParent();
      continue;
    }
    Instruction* first = nullptr;
    for (llvm::User* user : instruction->users()) {
      auto* other = llvm::cast<Instruction>(user);
      if (other->getParent() != &block || llvm::isa<llvm::PHINode>(other)) other = block.getTerminator();
      if (!first || other->comesBefore(first)) first = other;
    }
    if (llvm::isa<llvm::LoadInst>(instruction) && writes.lookup(first) != writes.lookup(instruction)) continue;
    if (first != instruction->getNextNode()) {
      instruction->moveBefore(first);
      writes[instruction] = writes.lookup(first);
    }
  }
}

}  // namespace weft::compiler::wide
