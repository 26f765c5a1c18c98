#include "compiler/wide/long_quotients.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/DivisionByConstantInfo.h>

#include <algorithm>

namespace weft::compiler::wide {
namespace {

using llvm::APInt;
using llvm::Value;

constexpr unsigned kBits = 64, kHalf = kBits / 2;

class Divider {
 public:
  Divider(llvm::IRBuilder<>& builder, Value* x) : builder_(builder), type_(x->getType()), x_(x) {}

  Value* unsigned_quotient(const APInt& d, unsigned leading_zeros) {
    const auto magic = llvm::UnsignedDivisionByConstantInfo::get(d, std::min(leading_zeros, d.countl_zero()));
    Value* q = upper_product(magic.PreShift ? builder_.CreateLShr(x_, magic.PreShift) : x_, magic.Magic);
    // A factor of 65 bits: x is added, and halved with the sum, which would overflow.
    if (magic.IsAdd) q = builder_.CreateAdd(builder_.CreateLShr(builder_.CreateSub(x_, q), 1), q);
    return magic.PostShift ? builder_.CreateLShr(q, magic.PostShift) : q;
  }

  Value* signed_quotient(const APInt& d) {
    const auto magic = llvm::SignedDivisionByConstantInfo::get(d);
    // The upper half of a product of unsigned numbers has the other operand too much for each that is negative.
    Value* q = upper_product(x_, magic.Magic);
    q = builder_.CreateSub(q, builder_.CreateAnd(builder_.CreateAShr(x_, kBits - 1), number(magic.Magic)));
    const bool adds_x = d.isStrictlyPositive() && magic.Magic.isNegative(), subtracts_x = d.isNegative() && magic.Magic.isStrictlyPositive();
    const int times_x = (adds_x ? 1 : 0) - (subtracts_x ? 1 : 0) - (magic.Magic.isNegative() ? 1 : 0);
    if (times_x < 0) q = builder_.CreateSub(q, x_);
    if (times_x > 0) q = builder_.CreateAdd(q, x_);
    if (magic.ShiftAmount) q = builder_.CreateAShr(q, magic.ShiftAmount);
    return builder_.CreateAdd(q, builder_.CreateLShr(q, kBits - 1));
  }

  Value* remainder(Value* quotient, const APInt& d) { return builder_.CreateSub(x_, builder_.CreateMul(quotient, number(d))); }

 private:
  llvm::Constant* number(const APInt& value) const { return llvm::ConstantInt::get(type_, value); }
  Value* low(Value* x) { return builder_.CreateAnd(x, number(APInt::getLowBitsSet(kBits, kHalf))); }
  Value* high(Value* x) { return builder_.CreateLShr(x, kHalf); }

  /// The upper half of a product of unsigned numbers.
  Value* upper_product(Value* x, const APInt& factor) {
    llvm::Constant *const factor_low = number(factor.getLoBits(kHalf)), *const factor_high = number(factor.lshr(kHalf));
    Value *const x_low = low(x), *const x_high = high(x);
    Value* lowest = builder_.CreateMul(x_low, factor_low);
    Value* middle = builder_.CreateAdd(builder_.CreateMul(x_high, factor_low), high(lowest));
    Value* other = builder_.CreateAdd(builder_.CreateMul(x_low, factor_high), low(middle));
    return builder_.CreateAdd(builder_.CreateAdd(builder_.CreateMul(x_high, factor_high), high(middle)), high(other));
  }

  llvm::IRBuilder<>& builder_;
  llvm::Type* type_;
  Value* x_;
};

}  // namespace

void divide_longs_by_products(llvm::Function& function, const VectorTraits& vectors) {
  using namespace llvm::PatternMatch;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const unsigned opcode = instruction.getOpcode();
    const bool is_signed = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
    const bool is_quotient = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::UDiv;
    if (!is_signed && !is_quotient && opcode != llvm::Instruction::URem) continue;
    auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
    const APInt* d = nullptr;
    if (!type || !match(instruction.getOperand(1), m_APInt(d)) || d->getBitWidth() != kBits) continue;
    // LLVM shifts.
    if (d->isZero() || d->isPowerOf2() || (is_signed && d->isNegatedPowerOf2())) continue;
    Value* const x = instruction.getOperand(0);
    const unsigned leading_zeros = is_signed ? 0 : llvm::computeKnownBits(x, function.getParent()->getDataLayout()).countMinLeadingZeros();
    llvm::IRBuilder<> builder(&instruction);
    // One register after the other: what all lanes have in between does not fit.
    const unsigned lanes = type->getNumElements(), piece = std::min(lanes, vectors.register_bits / kBits);
    if (lanes % piece) continue;
    llvm::SmallVector<Value*, 16> results;
    for (unsigned first = 0; first < lanes; first += piece) {
      const auto part = llvm::to_vector<8>(llvm::seq<int>(static_cast<int>(first), static_cast<int>(first + piece)));
      Divider divider(builder, piece == lanes ? x : builder.CreateShuffleVector(x, part));
      Value* const quotient = is_signed ? divider.signed_quotient(*d) : divider.unsigned_quotient(*d, leading_zeros);
      results.push_back(is_quotient ? quotient : divider.remainder(quotient, *d));
    }
    Value* const result = results.size() == 1 ? results.front() : llvm::concatenateVectors(builder, results);
    result->takeName(&instruction);
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
  }
}

}  // namespace weft::compiler::wide
