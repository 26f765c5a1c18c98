#include "compiler/simt/item/direct_quotients.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/simt/ir/divisions.h"

namespace weft::compiler::simt {
namespace {

using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

/// `product` / `factor`, which leaves no rest; null if that is not known. May be of fewer bits: extended by its sign, then.
Value* other_factor(Value& product, Value& factor, bool is_signed) {
  const auto* all = llvm::dyn_cast<llvm::ConstantInt>(&product);
  const auto* part = llvm::dyn_cast<llvm::ConstantInt>(&factor);
  if (all && part) {
    if (all->isZero() || part->isZero() || (is_signed && (all->isNegative() || part->isNegative()))) return nullptr;
    return all->getValue().urem(part->getValue()).isZero() ? llvm::ConstantInt::get(all->getType(), all->getValue().udiv(part->getValue())) : nullptr;
  }
  Value* other = nullptr;
  if (is_signed ? match(&product, m_NSWMul(m_Specific(&factor), m_Value(other))) || match(&product, m_NSWMul(m_Value(other), m_Specific(&factor)))
                : match(&product, m_NUWMul(m_Specific(&factor), m_Value(other))) || match(&product, m_NUWMul(m_Value(other), m_Specific(&factor))))
    return other;
  // Or of both in fewer bits.
  Value *short_product = nullptr, *short_factor = nullptr;
  if (!is_signed || !match(&product, m_SExt(m_Value(short_product))) || !match(&factor, m_SExt(m_Value(short_factor))) ||
      short_product->getType() != short_factor->getType())
    return nullptr;
  return other_factor(*short_product, *short_factor, is_signed);
}

class Divisions {
 public:
  explicit Divisions(llvm::Function& item) : dominators_(item) {
    for (Instruction& instruction : llvm::instructions(item))
      if (as_division(instruction)) all_.push_back(llvm::cast<BinaryOperator>(&instruction));
  }

  bool run() {
    llvm::SmallVector<llvm::WeakTrackingVH, 8> replaced;
    for (BinaryOperator* division : all_) {
      auto* inner = llvm::dyn_cast<BinaryOperator>(division->getOperand(0));
      if (!inner || !as_division(*inner) || is_signed_division(*inner) != is_signed_division(*division)) continue;
      Value* value = is_quotient(*inner) ? of_quotient(*division, *inner) : of_remainder(*division, *inner);
      if (!value) continue;
      division->replaceAllUsesWith(value);
      replaced.emplace_back(division);
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    return !replaced.empty();
  }

 private:
  /// Of number % all by a factor of `all`.
  Value* of_remainder(BinaryOperator& division, BinaryOperator& inner) {
    Value *number = inner.getOperand(0), *all = inner.getOperand(1), *by = division.getOperand(1);
    Value* factor = other_factor(*all, *by, is_signed_division(division));
    if (!factor) return nullptr;
    llvm::IRBuilder<> builder(&division);
    Value* first = builder.CreateBinOp(division.getOpcode(), number, by, division.getName());
    if (!is_quotient(division)) return first;
    return difference(builder, first, builder.CreateBinOp(division.getOpcode(), number, all), factor, is_signed_division(division));
  }

  /// Of number / inner's divisor.
  Value* of_quotient(BinaryOperator& division, BinaryOperator& inner) {
    Value *number = inner.getOperand(0), *by = division.getOperand(1);
    for (BinaryOperator* other : all_) {
      // That its divisor does not wrap around is known where it is executed.
      if (other->getOperand(0) != number || is_signed_division(*other) != is_signed_division(division) || !is_executed_with(*other, division)) continue;
      Value* factor = other_factor(*other->getOperand(1), *by, is_signed_division(division));
      if (!factor || (factor != inner.getOperand(1) && !match(inner.getOperand(1), m_SExt(m_Specific(factor))))) continue;
      llvm::IRBuilder<> builder(&division);
      Value* product = other->getOperand(1);
      if (!dominators_.dominates(product, &division)) product = builder.CreateMul(inner.getOperand(1), by);
      Value* both = builder.CreateBinOp(inner.getOpcode(), number, product);
      return is_quotient(division) ? both : difference(builder, &inner, both, by, is_signed_division(division));
    }
    return nullptr;
  }

  /// first - second * factor, which is not negative unless the number is.
  static Value* difference(llvm::IRBuilder<>& builder, Value* first, Value* second, Value* factor, bool is_signed) {
    Value* multiple = builder.CreateMul(second, builder.CreateSExt(factor, second->getType()), "", /*HasNUW=*/!is_signed, /*HasNSW=*/is_signed);
    return builder.CreateSub(first, multiple, "", /*HasNUW=*/!is_signed, /*HasNSW=*/is_signed);
  }

  bool is_executed_with(const BinaryOperator& other, const BinaryOperator& division) const {
    return other.getParent() == division.getParent() || dominators_.dominates(&other, &division);
  }

  llvm::SmallVector<BinaryOperator*, 8> all_;
  const llvm::DominatorTree dominators_;
};

}  // namespace

bool divide_directly(llvm::Function& item) { return Divisions(item).run(); }

}  // namespace weft::compiler::simt
