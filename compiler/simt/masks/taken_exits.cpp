#include "compiler/simt/masks/taken_exits.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/frontend/loop_exits.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {

void take_exits(llvm::Function& region) {
  llvm::SmallVector<llvm::Instruction*, 4> asked;
  for (llvm::Instruction& instruction : llvm::instructions(region))
    if (called_name(instruction) == frontend::kLeaves) asked.push_back(&instruction);
  for (llvm::Instruction* call : asked) {
    call->replaceAllUsesWith(llvm::ConstantInt::getTrue(region.getContext()));
    call->eraseFromParent();
  }
}

}  // namespace weft::compiler::simt
