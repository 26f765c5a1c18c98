#include "compiler/wide/float_quotients.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <cmath>
#include <optional>


namespace weft::compiler::wide {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// What OpenCL allows a quotient of floats.
constexpr float kAllowed = 2.5F;
/// Operations of a quotient by constants that are no less than 1, and by other numbers.
constexpr unsigned kByGreater = 4, kByNumber = 7;
/// The greatest divisor that has no reciprocal, and what it is multiplied by.
constexpr double kLeastDivisor = 0x1p-128, kGreater = 0x1p30;

/// What lanes are divided by, what both sides are multiplied by first, null if by nothing, and the reciprocal.
struct Divisor {
  Value *by, *scale, *reciprocal;
  bool may_overflow;
};

/// Whether no quotient by these constants is greater than what is divided.
bool are_no_less_than_one(const llvm::Constant& divisor) {
  const auto& type = llvm::cast<llvm::FixedVectorType>(*divisor.getType());
  return llvm::all_of(llvm::seq(type.getNumElements()), [&](unsigned i) {
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(divisor.getAggregateElement(i));
    return number && std::abs(number->getValueAPF().convertToFloat()) >= 1;
  });
}

bool may_be_inexact(const Instruction& instruction) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  return instruction.getOpcode() == Instruction::FDiv && type && type->getElementType()->isFloatTy() && type->getNumElements() % 16 == 0 &&
         !instruction.hasAllowReciprocal() && llvm::cast<llvm::FPMathOperator>(instruction).getFPAccuracy() >= kAllowed;
}

/// Of constants that and whose reciprocals are normal, these; null of others.
llvm::Constant* constant_reciprocal(const llvm::Constant& divisor) {
  const auto& type = llvm::cast<llvm::FixedVectorType>(*divisor.getType());
  llvm::SmallVector<llvm::Constant*, 32> reciprocals;
  for (unsigned i = 0; i < type.getNumElements(); ++i) {
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(divisor.getAggregateElement(i));
    if (!number || !number->getValueAPF().isNormal()) return nullptr;
    llvm::APFloat one(1.0F);
    one.divide(number->getValueAPF(), llvm::APFloat::rmNearestTiesToEven);
    if (!one.isNormal()) return nullptr;
    reciprocals.push_back(llvm::ConstantFP::get(type.getElementType(), one));
  }
  return llvm::ConstantVector::get(reciprocals);
}

class Quotients {
 public:
  Quotients(llvm::Function& function, const VectorTraits& vectors) : function_(function), vectors_(vectors), builder_(function.getContext()) {}

  void run() {
    for (BasicBlock& block : function_) run(block);
  }

 private:
  void run(BasicBlock& block) {
    llvm::MapVector<Value*, llvm::SmallVector<Instruction*, 4>> all;
    unsigned divider = 0, others = 0;
    for (Instruction& instruction : block) {
      if (may_be_inexact(instruction)) all[instruction.getOperand(1)].push_back(&instruction);
      if (!instruction.getType()->isVectorTy() || !(instruction.getType()->isFPOrFPVectorTy() || llvm::isa<llvm::FCmpInst>(instruction))) continue;
      const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (instruction.getOpcode() == Instruction::FDiv || (call && call->getIntrinsicID() == llvm::Intrinsic::sqrt))
        divider += vectors_.division;
      else if (call || llvm::isa<llvm::BinaryOperator, llvm::FCmpInst>(instruction))
        ++others;
    }
    for (const auto& [divisor, quotients] : all) {
      const unsigned count = static_cast<unsigned>(quotients.size());
      const auto* constant = llvm::dyn_cast<llvm::Constant>(divisor);
      const bool may_overflow = !constant || !are_no_less_than_one(*constant);
      const unsigned more = count * (may_overflow ? kByNumber : kByGreater);
      const auto found = divider > others + more ? find(*divisor, may_overflow) : std::nullopt;
      if (!found) continue;
      for (Instruction* quotient : quotients) replace(*quotient, *found);
      divider -= count * vectors_.division;
      others += more;
    }
  }

  llvm::Constant* number(llvm::Type* type, double value) { return llvm::ConstantFP::get(type, value); }

  std::optional<Divisor> find(Value& divisor, bool may_overflow) {
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&divisor)) {
      llvm::Constant* reciprocal = constant_reciprocal(*constant);
      return reciprocal ? std::optional(Divisor{&divisor, nullptr, reciprocal, may_overflow}) : std::nullopt;
    }
    Value* one = const_cast<Value*>(llvm::getSplatValue(&divisor));
    return one ? std::optional(of_one(*one, divisor)) : std::nullopt;
  }

  /// Of a number, where it is made: its reciprocal is made as often.
  Divisor of_one(Value& one, Value& divisor) {
    const auto known = of_one_.find(&one);
    if (known != of_one_.end() && known->second.by->getType() == divisor.getType()) return known->second;
    if (auto* made = llvm::dyn_cast<Instruction>(&one))
      builder_.SetInsertPoint(*made->getInsertionPointAfterDef());
    else
      builder_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
    const auto splat = [&](Value* value) { return builder_.CreateVectorSplat(llvm::cast<llvm::VectorType>(divisor.getType())->getElementCount(), value); };
    Value* scale = builder_.CreateSelect(is_least(one), number(one.getType(), kGreater), number(one.getType(), 1));
    Value* by = builder_.CreateFMul(&one, scale);
    Value* reciprocal = builder_.CreateFDiv(number(one.getType(), 1), by);
    return of_one_[&one] = {splat(by), splat(scale), splat(reciprocal), true};
  }

  Value* is_least(Value& divisor) {
    return builder_.CreateFCmpOLE(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, &divisor), number(divisor.getType(), kLeastDivisor));
  }

  void replace(Instruction& quotient, const Divisor& divisor) {
    builder_.SetInsertPoint(&quotient);
    llvm::Type* type = quotient.getType();
    Value* x = quotient.getOperand(0);
    if (divisor.scale) x = builder_.CreateFMul(x, divisor.scale);
    const auto fma = [&](Value* a, Value* b, Value* c) { return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a, b, c}); };
    Value* product = builder_.CreateFMul(x, divisor.reciprocal);
    Value* left = fma(builder_.CreateFNeg(product), divisor.by, x);
    // Of zeros nothing is left, of infinity nothing that is a number; of what overflows more than there was.
    const auto size = [&](Value* value) { return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value); };
    Value* is_left = divisor.may_overflow ? builder_.CreateFCmpOLT(size(left), size(x)) : builder_.CreateFCmpONE(left, llvm::ConstantFP::getZero(type));
    Value* exact = builder_.CreateSelect(is_left, fma(left, divisor.reciprocal, product), product);
    exact->takeName(&quotient);
    quotient.replaceAllUsesWith(exact);
    quotient.eraseFromParent();
  }

  llvm::Function& function_;
  const VectorTraits& vectors_;
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<const Value*, Divisor> of_one_;
};

}  // namespace

void divide_by_reciprocals(llvm::Function& function, const VectorTraits& vectors) { Quotients(function, vectors).run(); }

}  // namespace weft::compiler::wide
