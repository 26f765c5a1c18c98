#include "compiler/simt/masks/mask_phis.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// `p` if `block` ends with `br any(p), side, otherwise`.
Value* asked_of_any(const llvm::BasicBlock& block, const llvm::BasicBlock& otherwise) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(1) != &otherwise || branch->getSuccessor(0) == &otherwise) return nullptr;
  if (called_name(*branch->getCondition()) != primitive::kAny) return nullptr;
  return llvm::cast<llvm::CallBase>(branch->getCondition())->getArgOperand(0);
}

}  // namespace

void fold_mask_phis(llvm::Function& region) {
  for (llvm::BasicBlock& block : region)
    for (llvm::PHINode& phi : llvm::make_early_inc_range(block.phis())) {
      if (!phi.getType()->isIntegerTy(1) || phi.getNumIncomingValues() != 2) continue;
      for (unsigned skip : {0u, 1u}) {
        llvm::BasicBlock* from = phi.getIncomingBlock(skip);
        Value* asked = asked_of_any(*from, block);
        auto* made = llvm::dyn_cast<llvm::SelectInst>(phi.getIncomingValue(1 - skip));
        if (!asked || !made || made->getCondition() != asked || made->getFalseValue() != phi.getIncomingValue(skip)) continue;
        // What is chosen must be there in front of the branch.
        const auto is_early = [&](const llvm::Value* value) { return llvm::isa<llvm::Constant>(value) || value == asked; };
        if (!is_early(made->getTrueValue()) || !is_early(made->getFalseValue())) continue;
        made->moveBefore(from->getTerminator());
        phi.replaceAllUsesWith(made);
        phi.eraseFromParent();
        break;
      }
    }
}

}  // namespace weft::compiler::simt
