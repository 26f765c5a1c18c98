#include "compiler/wide/saturated_bytes.h"

#include <algorithm>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr std::uint64_t kMost = 255;
/// Fewer elements leave room in a register anyway.
constexpr unsigned kFewestSaturated = 8;

bool is_wide(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector || vector->getNumElements() < kFewestSaturated || !vector->getElementType()->isIntegerTy()) return false;
  return vector->getScalarSizeInBits() > 8 && vector->getScalarSizeInBits() <= 64;
}

/// The number of which `value` is a splat, if it is a byte.
std::optional<std::uint64_t> byte_of(const Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (!constant || !constant->getType()->isVectorTy()) return std::nullopt;
  const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getSplatValue());
  return integer && integer->getValue().ule(kMost) ? std::optional(integer->getZExtValue()) : std::nullopt;
}

class Saturation {
 public:
  explicit Saturation(llvm::Function& function) : function_(function) {}

  void run() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (llvm::BasicBlock* block : order)
      for (Instruction& instruction : *block) learn(instruction);
    if (compared_.empty()) return;
    drop_what_is_used_otherwise();
    for (llvm::ICmpInst* comparison : compared_) replace(*comparison);
    for (llvm::ICmpInst* comparison : replaced_) llvm::RecursivelyDeleteTriviallyDeadInstructions(comparison);
  }

 private:
  bool is_known(const Value& value) const { return most_.contains(&value) || byte_of(value); }
  std::uint64_t most(const Value& value) const {
    const auto known = most_.find(&value);
    return known != most_.end() ? known->second : *byte_of(value);
  }

  /// Sums of numbers that are not negative and do not wrap, in the type that they have.
  void learn(Instruction& instruction) {
    if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
      if (most_.contains(comparison->getOperand(0)) && can_compare(*comparison)) compared_.insert(comparison);
      return;
    }
    if (!is_wide(*instruction.getType())) return;
    const unsigned bits = instruction.getType()->getScalarSizeInBits();
    const std::uint64_t limit = std::min<std::uint64_t>(std::uint64_t{1} << (bits - 1), std::uint64_t{1} << 31) - 1;
    if (const auto* extension = llvm::dyn_cast<llvm::ZExtInst>(&instruction)) {
      const unsigned from = extension->getOperand(0)->getType()->getScalarSizeInBits();
      if (from == 8 || from == 1) most_[&instruction] = from == 8 ? kMost : 1;
      return;
    }
    if (!takes_two(instruction) || !is_known(*instruction.getOperand(0)) || !is_known(*instruction.getOperand(1))) return;
    const std::uint64_t a = most(*instruction.getOperand(0)), b = most(*instruction.getOperand(1));
    const bool adds = instruction.getOpcode() == Instruction::Add || instruction.getOpcode() == Instruction::Or;
    const std::uint64_t result = adds ? a + b : std::max(a, b);
    if (result <= limit) most_[&instruction] = result;
  }

  static bool takes_two(const Instruction& instruction) {
    if (const auto* bound = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return llvm::isa<llvm::MinMaxIntrinsic>(bound);
    if (instruction.getOpcode() == Instruction::Or) return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint();
    return instruction.getOpcode() == Instruction::Add;
  }

  /// Whether min(x, 255) compares as x does.
  static bool can_compare(const llvm::ICmpInst& comparison) {
    const auto number = byte_of(*comparison.getOperand(1));
    if (!number) return false;
    const bool at_most = comparison.getPredicate() == llvm::CmpInst::ICMP_ULT || comparison.getPredicate() == llvm::CmpInst::ICMP_SLT ||
                         comparison.getPredicate() == llvm::CmpInst::ICMP_UGE || comparison.getPredicate() == llvm::CmpInst::ICMP_SGE;
    return at_most || *number < kMost;
  }

  /// A sum that stays as it is, too, would be computed twice.
  void drop_what_is_used_otherwise() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [value, most] : most_) {
        if (dropped_.contains(value) || llvm::isa<llvm::ZExtInst>(value)) continue;
        const bool stays = llvm::all_of(value->users(), [&](const llvm::User* user) {
          if (llvm::isa<llvm::ICmpInst>(user)) return compared_.contains(llvm::cast<llvm::ICmpInst>(const_cast<llvm::User*>(user)));
          return most_.contains(user) && !dropped_.contains(user);
        });
        if (stays && operands_stay(*llvm::cast<Instruction>(value))) continue;
        dropped_.insert(value);
        changed = true;
      }
      compared_.remove_if([&](const llvm::ICmpInst* comparison) {
        const Value* sum = comparison->getOperand(0);
        const bool goes = dropped_.contains(sum) || llvm::isa<llvm::ZExtInst>(sum);
        changed |= goes;
        return goes;
      });
    }
  }
  bool operands_stay(const Instruction& instruction) const {
    return !dropped_.contains(instruction.getOperand(0)) && !dropped_.contains(instruction.getOperand(1));
  }

  void replace(llvm::ICmpInst& comparison) {
    Value* sum = saturated(*comparison.getOperand(0));
    llvm::IRBuilder<> builder(&comparison);
    Value* number = llvm::ConstantInt::get(sum->getType(), *byte_of(*comparison.getOperand(1)));
    comparison.replaceAllUsesWith(builder.CreateICmp(comparison.getUnsignedPredicate(), sum, number, comparison.getName()));
    replaced_.push_back(&comparison);
  }

  /// min(value, 255).
  Value* saturated(Value& value) {
    auto* type = llvm::cast<llvm::VectorType>(value.getType())->getWithNewBitWidth(8);
    if (const auto number = byte_of(value)) return llvm::ConstantInt::get(type, *number);
    if (Value* made = made_.lookup(&value)) return made;
    auto& instruction = llvm::cast<Instruction>(value);
    if (llvm::isa<llvm::ZExtInst>(instruction)) {
      Value* part = instruction.getOperand(0);
      llvm::IRBuilder<> builder(&instruction);
      return made_[&value] = part->getType() == type ? part : builder.CreateZExt(part, type);
    }
    Value *left = saturated(*instruction.getOperand(0)), *right = saturated(*instruction.getOperand(1));
    llvm::IRBuilder<> builder(&instruction);
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call) {
      if (most(instruction) <= kMost) return made_[&value] = builder.CreateAdd(left, right);
      return made_[&value] = builder.CreateBinaryIntrinsic(llvm::Intrinsic::uadd_sat, left, right);
    }
    const bool is_least = call->getIntrinsicID() == llvm::Intrinsic::umin || call->getIntrinsicID() == llvm::Intrinsic::smin;
    return made_[&value] = builder.CreateBinaryIntrinsic(is_least ? llvm::Intrinsic::umin : llvm::Intrinsic::umax, left, right);
  }

  llvm::Function& function_;
  llvm::DenseMap<const Value*, std::uint64_t> most_;  ///< of numbers that are not negative
  llvm::SmallPtrSet<const Value*, 8> dropped_;
  llvm::SmallSetVector<llvm::ICmpInst*, 8> compared_;
  llvm::SmallVector<llvm::ICmpInst*, 8> replaced_;
  llvm::DenseMap<const Value*, Value*> made_;
};

}  // namespace

void saturate_bytes(llvm::Function& function) { Saturation(function).run(); }

}  // namespace weft::compiler::wide
