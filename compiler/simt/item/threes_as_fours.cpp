#include "compiler/simt/item/threes_as_fours.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/simt/ir/vector_form.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kThree = 3, kFour = 4;

llvm::FixedVectorType* vector_of(const llvm::Type* type, unsigned count) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const bool is_number = vector && !vector->getElementType()->isIntegerTy(1) && !vector->getElementType()->isPointerTy();
  return is_number && vector->getNumElements() == count ? const_cast<llvm::FixedVectorType*>(vector) : nullptr;
}

/// A shuffle of `from` components to `to`, of which the first three stay where they are and the fourth, if there is one, is undefined.
bool keeps_three(const Value& value, unsigned from, unsigned to) {
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value);
  if (!shuffle || !vector_of(shuffle->getType(), to) || !vector_of(shuffle->getOperand(0)->getType(), from)) return false;
  const auto mask = shuffle->getShuffleMask();
  return mask[0] == 0 && mask[1] == 1 && mask[2] == 2 && (to == kThree || mask[3] < 0);
}

/// Of the same number in each component.
bool is_repeated(const Value& value) { return llvm::isa<llvm::ShuffleVectorInst>(value) && llvm::getSplatValue(&value); }

/// Whether `instruction`, of three components, does the same to each, and to any fourth whatever that is.
bool can_be_wide(const Instruction& instruction) {
  if (!vector_of(instruction.getType(), kThree)) return false;
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return !select->getCondition()->getType()->isVectorTy();
  return llvm::isa<llvm::PHINode>(instruction) || is_componentwise(instruction);
}

class Threes {
 public:
  explicit Threes(llvm::Function& function) : function_(function) {}

  bool run() {
    for (Instruction& instruction : llvm::instructions(function_))
      if (can_be_wide(instruction)) members_.insert(&instruction);
    for (bool changed = true; changed;) {
      const auto stays = [&](const Instruction* member) { return !fits(*member); };
      changed = members_.remove_if(stays);
    }
    if (members_.empty()) return false;
    // Phis first, which may be operands in front of their own.
    for (Instruction* member : members_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(member))
        wide_[phi] = llvm::PHINode::Create(wide_type(*phi), phi->getNumIncomingValues(), phi->getName(), phi->getIterator());
    for (Instruction* member : members_) wide(*member);
    for (Instruction* member : members_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(member))
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          llvm::cast<llvm::PHINode>(wide_[phi])
              ->addIncoming(operand(*phi->getIncomingValue(i), *phi->getIncomingBlock(i)->getTerminator()), phi->getIncomingBlock(i));
    llvm::SmallVector<Instruction*, 16> members(members_.begin(), members_.end());
    llvm::SmallPtrSet<Instruction*, 16> fours;
    for (Instruction* member : members)
      for (llvm::User* user : member->users())
        if (auto* four = llvm::cast<Instruction>(user); !is_member(*four)) {
          four->replaceAllUsesWith(wide_[member]);
          fours.insert(four);
        }
    for (Instruction* four : fours) four->eraseFromParent();
    llvm::SmallVector<llvm::WeakTrackingVH, 16> operands;
    for (Instruction* member : members) {
      operands.append(member->op_begin(), member->op_end());
      member->replaceAllUsesWith(llvm::PoisonValue::get(member->getType()));
    }
    for (Instruction* member : members) member->eraseFromParent();
    for (llvm::WeakTrackingVH& value : operands)
      if (value) llvm::RecursivelyDeleteTriviallyDeadInstructions(value);
    return true;
  }

 private:
  static llvm::FixedVectorType* wide_type(const Value& value) {
    return llvm::FixedVectorType::get(value.getType()->getScalarType(), kFour);
  }

  bool is_member(const Instruction& instruction) const { return members_.contains(const_cast<Instruction*>(&instruction)); }

  bool fits(const Instruction& member) const {
    const auto is_operand = [&](const llvm::Use& use) {
      const Value* value = use.get();
      if (!vector_of(value->getType(), kThree) || llvm::isa<llvm::Constant>(value)) return true;
      if (const auto* instruction = llvm::dyn_cast<Instruction>(value); instruction && is_member(*instruction)) return true;
      return keeps_three(*value, kFour, kThree) || is_repeated(*value);
    };
    const auto is_user = [&](const llvm::User* user) {
      return is_member(*llvm::cast<Instruction>(user)) || keeps_three(*user, kThree, kFour);
    };
    return llvm::all_of(member.operands(), is_operand) && llvm::all_of(member.users(), is_user);
  }

  /// `value`, of three components, as four, for `user`.
  Value* operand(Value& value, Instruction& user) {
    if (!vector_of(value.getType(), kThree)) return &value;
    if (auto* instruction = llvm::dyn_cast<Instruction>(&value); instruction && members_.contains(instruction)) return wide(*instruction);
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) {
      if (llvm::Constant* number = constant->getSplatValue())
        return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(kFour), number);
      llvm::SmallVector<llvm::Constant*, 4> numbers;
      for (unsigned i = 0; i < kThree; ++i) numbers.push_back(constant->getAggregateElement(i));
      numbers.push_back(numbers.back());
      return llvm::ConstantVector::get(numbers);
    }
    if (keeps_three(value, kFour, kThree)) {
      // What a member becomes is looked up as such.
      Value* four = llvm::cast<llvm::ShuffleVectorInst>(value).getOperand(0);
      if (keeps_three(*four, kThree, kFour)) {
        auto* three = llvm::dyn_cast<Instruction>(llvm::cast<llvm::ShuffleVectorInst>(four)->getOperand(0));
        if (three && members_.contains(three)) return wide(*three);
      }
      return four;
    }
    return llvm::IRBuilder<>(&user).CreateVectorSplat(kFour, llvm::getSplatValue(&value));
  }

  Value* wide(Instruction& member) {
    if (Value* made = wide_.lookup(&member)) return made;
    llvm::SmallVector<Value*, 3> operands;
    for (const llvm::Use& use : member.operands())
      if (!llvm::isa<llvm::Function>(use.get())) operands.push_back(operand(*use.get(), member));
    llvm::IRBuilder<> builder(&member);
    Value* value = same_of_vectors(builder, member, operands, *wide_type(member));
    if (auto* instruction = llvm::dyn_cast<Instruction>(value)) instruction->takeName(&member);
    return wide_[&member] = value;
  }

  llvm::Function& function_;
  llvm::SetVector<Instruction*> members_;
  llvm::DenseMap<Instruction*, Value*> wide_;
};

}  // namespace

bool widen_threes(llvm::Function& function) { return Threes(function).run(); }

}  // namespace weft::compiler::simt
