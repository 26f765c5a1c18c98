#include "compiler/wide/half_compares.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler::wide {

void compare_halves_as_floats(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction);
    if (!compare || compare->isCommutative()) continue;
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(compare->getOperand(0)->getType());
    if (!type || !type->getElementType()->isHalfTy()) continue;
    llvm::IRBuilder<> builder(compare);
    auto* const wide = llvm::FixedVectorType::get(builder.getFloatTy(), type->getNumElements());
    for (llvm::Use& operand : compare->operands()) operand.set(builder.CreateFPExt(operand, wide));
  }
}

}  // namespace weft::compiler::wide
