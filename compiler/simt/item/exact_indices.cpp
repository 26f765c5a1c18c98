#include "compiler/simt/item/exact_indices.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/KnownBits.h>

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Operations of one index.
constexpr unsigned kMostExactSteps = 6;

/// The id that `value` is cut from, which has no more bits than are left; null if it is no such.
Value* whole_id(Value& value) {
  auto* cut = llvm::dyn_cast<llvm::TruncInst>(&value);
  auto* id = cut ? llvm::dyn_cast<llvm::CallInst>(cut->getOperand(0)) : nullptr;
  if (!id || !id->getType()->isIntegerTy(64)) return nullptr;
  const llvm::KnownBits known = llvm::computeKnownBits(id, cut->getDataLayout());
  return known.countMinLeadingZeros() > 32 ? id : nullptr;
}

/// Whether `value` can be extended so; `is_product`: whether there is a product in it.
bool is_exact(Value& value, bool& is_product, unsigned steps = kMostExactSteps) {
  if (!value.getType()->isIntegerTy(32) || !steps) return false;
  if (llvm::isa<llvm::ConstantInt>(value) || whole_id(value)) return true;
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!operation) return false;
  const bool is_number = llvm::isa<llvm::ConstantInt>(operation->getOperand(1));
  switch (operation->getOpcode()) {
    case Instruction::Mul: is_product = true; [[fallthrough]];
    case Instruction::Shl:
      if (!is_number || !operation->hasNoSignedWrap()) return false;
      break;
    case Instruction::Add:
    case Instruction::Sub:
      if (!operation->hasNoSignedWrap()) return false;
      break;
    case Instruction::Or:
      if (!is_number || !llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint()) return false;
      break;
    default: return false;
  }
  return is_exact(*operation->getOperand(0), is_product, steps - 1) && is_exact(*operation->getOperand(1), is_product, steps - 1);
}

Value* extended(llvm::IRBuilder<>& builder, Value& value) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value)) return builder.getInt64(static_cast<std::uint64_t>(number->getSExtValue()));
  if (Value* id = whole_id(value)) return id;
  auto& operation = llvm::cast<llvm::BinaryOperator>(value);
  Value *left = extended(builder, *operation.getOperand(0)), *right = extended(builder, *operation.getOperand(1));
  const bool is_sum = operation.getOpcode() == Instruction::Or;
  Value* result = builder.CreateBinOp(is_sum ? Instruction::Add : operation.getOpcode(), left, right);
  if (auto* made = llvm::dyn_cast<llvm::BinaryOperator>(result)) made->setHasNoSignedWrap();
  return result;
}

}  // namespace

void make_indices_exact(llvm::Function& item) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(item))) {
    auto* extension = llvm::dyn_cast<llvm::SExtInst>(&instruction);
    bool is_product = false;
    if (!extension || !extension->getType()->isIntegerTy(64) || !is_exact(*extension->getOperand(0), is_product) || !is_product) continue;
    llvm::IRBuilder<> builder(extension);
    extension->replaceAllUsesWith(extended(builder, *extension->getOperand(0)));
    extension->eraseFromParent();
  }
}

}  // namespace weft::compiler::simt
