#include "compiler/linker/library_products.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler::linker {

void settle_products(llvm::Function& function, bool fused) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != llvm::Intrinsic::fmuladd || call->getType()->getScalarType()->isHalfTy()) continue;
    if (fused) {
      call->setCalledFunction(llvm::Intrinsic::getDeclaration(function.getParent(), llvm::Intrinsic::fma, call->getType()));
      continue;
    }
    llvm::IRBuilder<> builder(call);
    builder.setFastMathFlags(call->getFastMathFlags());
    llvm::Value* product = builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
    llvm::Value* sum = builder.CreateFAdd(product, call->getArgOperand(2));
    sum->takeName(call);
    call->replaceAllUsesWith(sum);
    call->eraseFromParent();
  }
}

}  // namespace weft::compiler::linker
