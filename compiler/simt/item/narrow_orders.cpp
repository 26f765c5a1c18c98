#include "compiler/simt/item/narrow_orders.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler::simt {
namespace {

using llvm::Value;

bool is_narrow(const llvm::Type& type) { return type.isIntegerTy(8) || type.isIntegerTy(16); }

/// What `value` is extended from without a sign, of 8 or 16 bits; null if it is no such.
Value* narrow_of(Value& value) {
  auto* extension = llvm::dyn_cast<llvm::ZExtInst>(&value);
  return extension && is_narrow(*extension->getSrcTy()) ? extension->getOperand(0) : nullptr;
}

/// `value` as a number of `type`; null if it is none.
Value* as_narrow(Value& value, llvm::Type& type) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return number->getValue().isIntN(type.getIntegerBitWidth()) ? llvm::ConstantInt::get(&type, number->getZExtValue()) : nullptr;
  Value* narrow = narrow_of(value);
  return narrow && narrow->getType() == &type ? narrow : nullptr;
}

/// The number that `value` is, if it leaves all bits of one of 8 or 16 bits that is extended without a sign: of a long chain of minima InstCombine
/// looks at six, and does not see that a seventh is of bytes, too. Else null.
Value* behind_mask(Value& value) {
  auto* both = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  const auto* mask = both && both->getOpcode() == llvm::Instruction::And ? llvm::dyn_cast<llvm::ConstantInt>(both->getOperand(1)) : nullptr;
  Value* narrow = mask ? narrow_of(*both->getOperand(0)) : nullptr;
  return narrow && mask->getValue().countr_one() >= narrow->getType()->getIntegerBitWidth() ? both->getOperand(0) : nullptr;
}

bool is_least(const llvm::MinMaxIntrinsic& order) {
  return order.getIntrinsicID() == llvm::Intrinsic::smin || order.getIntrinsicID() == llvm::Intrinsic::umin;
}

}  // namespace

void narrow_orders(llvm::Function& kernel) {
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&kernel))
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
      if (auto* cut = llvm::dyn_cast<llvm::TruncInst>(&instruction)) {
        if (Value* narrow = narrow_of(*cut->getOperand(0)); narrow && narrow->getType() == cut->getType()) cut->replaceAllUsesWith(narrow);
        continue;
      }
      if (Value* masked = behind_mask(instruction)) {
        instruction.replaceAllUsesWith(masked);
        continue;
      }
      auto* order = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
      Value* left = order ? narrow_of(*order->getLHS()) : nullptr;
      Value* right = left ? as_narrow(*order->getRHS(), *left->getType()) : nullptr;
      if (!right) continue;
      llvm::IRBuilder<> builder(order);
      Value* narrow = builder.CreateBinaryIntrinsic(is_least(*order) ? llvm::Intrinsic::umin : llvm::Intrinsic::umax, left, right);
      order->replaceAllUsesWith(builder.CreateZExt(narrow, order->getType()));
      order->eraseFromParent();
    }
}

}  // namespace weft::compiler::simt
