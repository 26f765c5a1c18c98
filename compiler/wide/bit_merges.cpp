#include "compiler/wide/bit_merges.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

const Value* without_casts(const Value* value) {
  while (const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(value)) value = cast->getOperand(0);
  return value;
}

/// Whether LLVM may turn `value` into an `and` with a constant, because some of its bits are zero.
bool may_be_part(const Value* value) {
  value = without_casts(value);
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(value)) return binary->getOpcode() == llvm::Instruction::And;
  return llvm::isa<llvm::ShuffleVectorInst, llvm::InsertElementInst, llvm::ZExtInst>(value);
}

bool may_be_merge(const Value* value) {
  value = without_casts(value);
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(value)) return call->getIntrinsicID() == llvm::Intrinsic::copysign;
  const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(value);
  return binary && binary->getOpcode() == llvm::Instruction::Or && may_be_part(binary->getOperand(0)) &&
         may_be_part(binary->getOperand(1));
}

}  // namespace

void fence_bit_merges(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const choice = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    auto* const type = choice ? llvm::dyn_cast<llvm::FixedVectorType>(choice->getType()) : nullptr;
    if (!type || !choice->getCondition()->getType()->isVectorTy()) continue;
    // There is no masked form for narrower lanes.
    if (!type->getElementType()->isIntegerTy(32) && !type->getElementType()->isIntegerTy(64)) continue;
    llvm::IRBuilder<> builder(choice);
    llvm::Type* const lane = type->getScalarSizeInBits() == 32 ? builder.getFloatTy() : builder.getDoubleTy();
    llvm::Type* const real = llvm::FixedVectorType::get(lane, type->getNumElements());
    for (unsigned arm : {1u, 2u}) {
      Value* const value = choice->getOperand(arm);
      if (!may_be_merge(value) || llvm::isa<llvm::Constant>(choice->getOperand(3 - arm))) continue;
      // LLVM has a fence for floating point only.
      Value* const fence = builder.CreateArithmeticFence(builder.CreateBitCast(value, real), real);
      choice->setOperand(arm, builder.CreateBitCast(fence, type));
    }
  }
}

}  // namespace weft::compiler::wide
