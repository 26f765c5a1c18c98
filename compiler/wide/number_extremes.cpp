#include "compiler/wide/number_extremes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

/// A maximum or minimum of floats or doubles; null: `value` is none.
llvm::IntrinsicInst* extreme(Value* value) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(value);
  const bool is_extreme = call && (call->getIntrinsicID() == llvm::Intrinsic::maxnum || call->getIntrinsicID() == llvm::Intrinsic::minnum);
  return is_extreme && (call->getType()->getScalarType()->isFloatTy() || call->getType()->getScalarType()->isDoubleTy()) ? call : nullptr;
}

bool is_number(const llvm::Constant& constant) {
  if (llvm::isa<llvm::PoisonValue>(constant)) return true;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant)) return !number->isNaN();
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(constant.getType());
  if (!type) return false;
  return llvm::all_of(llvm::seq(type->getNumElements()), [&](unsigned i) {
    const llvm::Constant* element = constant.getAggregateElement(i);
    return element && is_number(*element);
  });
}

/// What of a function is a number for certain, and none of it NaN.
class CertainNumbers {
 public:
  explicit CertainNumbers(llvm::Function& function) {
    for (Instruction& instruction : llvm::instructions(function))
      if (instruction.getType()->isFPOrFPVectorTy() && may_be(instruction)) numbers_.insert(&instruction);
    // All are taken to be, until one is not: so what goes around in a loop is as good as what it begins with.
    for (bool changed = true; changed;)
      changed = numbers_.remove_if([&](Instruction* instruction) { return !follows(*instruction); });
  }

  bool contain(Value* value) const {
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return is_number(*constant);
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    return instruction && numbers_.contains(instruction);
  }

 private:
  static bool is_fabs(const Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == llvm::Intrinsic::fabs;
  }
  static bool may_be(Instruction& instruction) {
    return extreme(&instruction) || is_fabs(instruction) || instruction.getOpcode() == Instruction::FNeg ||
           llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::SIToFPInst, llvm::UIToFPInst>(instruction) ||
           llvm::isa<llvm::ShuffleVectorInst, llvm::InsertElementInst, llvm::ExtractElementInst>(instruction);
  }
  bool follows(Instruction& instruction) const {
    if (llvm::IntrinsicInst* call = extreme(&instruction)) return contain(call->getArgOperand(0)) || contain(call->getArgOperand(1));
    if (llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(instruction)) return true;
    const auto both = [&](unsigned one, unsigned other) { return contain(instruction.getOperand(one)) && contain(instruction.getOperand(other)); };
    if (llvm::isa<llvm::SelectInst>(instruction)) return both(1, 2);
    if (llvm::isa<llvm::ShuffleVectorInst, llvm::InsertElementInst>(instruction)) return both(0, 1);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return llvm::all_of(phi->incoming_values(), [&](Value* value) { return contain(value); });
    return contain(instruction.getOperand(0));
  }

  llvm::SmallSetVector<Instruction*, 32> numbers_;
};

}  // namespace

void take_extremes_of_numbers(llvm::Function& function) {
  llvm::SmallVector<llvm::IntrinsicInst*, 16> extremes;
  for (Instruction& instruction : llvm::instructions(function))
    if (llvm::IntrinsicInst* call = extreme(&instruction)) extremes.push_back(call);
  if (extremes.empty()) return;
  const CertainNumbers numbers(function);
  llvm::SmallVector<std::pair<llvm::IntrinsicInst*, bool>, 16> found;
  for (llvm::IntrinsicInst* call : extremes)
    if (const bool second = numbers.contain(call->getArgOperand(1)); second || numbers.contain(call->getArgOperand(0))) found.emplace_back(call, second);
  for (const auto& [call, second] : found) {
    llvm::IRBuilder<> builder(call);
    Value *number = call->getArgOperand(second), *other = call->getArgOperand(!second);
    const auto predicate = call->getIntrinsicID() == llvm::Intrinsic::maxnum ? llvm::CmpInst::FCMP_OGT : llvm::CmpInst::FCMP_OLT;
    Value* chosen = builder.CreateSelect(builder.CreateFCmp(predicate, other, number), other, number);
    chosen->takeName(call);
    call->replaceAllUsesWith(chosen);
    call->eraseFromParent();
  }
}

}  // namespace weft::compiler::wide
