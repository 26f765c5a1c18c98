#include "compiler/simt/item/signed_indices.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/analysis/buffer_places.h"

namespace weft::compiler::simt {

bool sign_indices(llvm::Function& item) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(item))) {
    auto* index = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
    if (!index || index->hasNonNeg() || !index->getType()->isIntegerTy(64) || !index->getSrcTy()->isIntegerTy(32)) continue;
    if (!is_place_in_small_buffer(*index)) continue;
    llvm::IRBuilder<> builder(index);
    index->replaceAllUsesWith(builder.CreateSExt(index->getOperand(0), index->getType(), index->getName()));
    index->eraseFromParent();
    changed = true;
  }
  return changed;
}

}  // namespace weft::compiler::simt
