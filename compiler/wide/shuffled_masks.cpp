#include "compiler/wide/shuffled_masks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

constexpr unsigned kDeepest = 8;  ///< operations on masks, one on the other

bool is_bits(const Value& value) { return value.getType()->isVectorTy() && value.getType()->getScalarType()->isIntegerTy(1); }

/// A comparison of numbers, and what joins such.
bool is_of_comparisons(const Value& value, unsigned depth) {
  if (!is_bits(value)) return false;
  if (llvm::isa<llvm::Constant>(value)) return true;
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&value)) return !is_bits(*compare->getOperand(0));
  if (depth == kDeepest) return false;
  const auto follows = [&](const Value* operand) { return is_of_comparisons(*operand, depth + 1); };
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&value)) return llvm::all_of(binary->operand_values(), follows);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&value)) return llvm::all_of(select->operand_values(), follows);
  return false;
}

/// The lanes `mask` of `value`, which is_of_comparisons.
Value* shuffled(llvm::IRBuilder<>& builder, Value& value, llvm::ArrayRef<int> mask) {
  const auto operand = [&](llvm::Instruction& user, unsigned i) { return shuffled(builder, *user.getOperand(i), mask); };
  Value* made = nullptr;
  if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&value)) {
    Value* first = builder.CreateShuffleVector(compare->getOperand(0), mask);
    Value* second = builder.CreateShuffleVector(compare->getOperand(1), mask);
    made = builder.CreateCmp(compare->getPredicate(), first, second, value.getName());
  } else if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&value)) {
    Value *first = operand(*binary, 0), *second = operand(*binary, 1);
    made = builder.CreateBinOp(binary->getOpcode(), first, second);
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
    Value *condition = operand(*select, 0), *first = operand(*select, 1), *second = operand(*select, 2);
    made = builder.CreateSelect(condition, first, second);
  } else {
    return builder.CreateShuffleVector(&value, mask);
  }
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(made)) instruction->copyIRFlags(&value);
  return made;
}

bool takes_lanes_out(const llvm::ShuffleVectorInst& shuffle) {
  const auto* source = llvm::cast<llvm::FixedVectorType>(shuffle.getOperand(0)->getType());
  const auto mask = shuffle.getShuffleMask();
  const auto lanes = static_cast<int>(source->getNumElements());
  int index;
  return llvm::isa<llvm::UndefValue>(shuffle.getOperand(1)) && static_cast<int>(mask.size()) < lanes &&
         llvm::all_of(mask, [&](int lane) { return lane < lanes; }) && !llvm::ShuffleVectorInst::isExtractSubvectorMask(mask, lanes, index);
}

}  // namespace

void shuffle_what_is_compared(llvm::Function& function) {
  llvm::SmallVector<llvm::WeakTrackingVH, 8> masks;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction);
    if (!shuffle || !is_bits(*shuffle) || !takes_lanes_out(*shuffle) || llvm::isa<llvm::Constant>(shuffle->getOperand(0)) ||
        !is_of_comparisons(*shuffle->getOperand(0), 0))
      continue;
    llvm::IRBuilder<> builder(shuffle);
    masks.emplace_back(shuffle->getOperand(0));
    shuffle->replaceAllUsesWith(shuffled(builder, *shuffle->getOperand(0), shuffle->getShuffleMask()));
    shuffle->eraseFromParent();
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(masks);
}

}  // namespace weft::compiler::wide
