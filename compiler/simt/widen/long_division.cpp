#include "compiler/simt/widen/long_division.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

Value* absolute(llvm::IRBuilderBase& builder, Value* x) {
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, builder.getFalse());
}

/// x, or -x in lanes where `sign` is negative.
Value* with_sign(llvm::IRBuilderBase& builder, Value* x, Value* sign) {
  Value* is_negative = builder.CreateICmpSLT(sign, llvm::Constant::getNullValue(sign->getType()));
  return builder.CreateSelect(is_negative, builder.CreateNeg(x), x);
}

}  // namespace

Value* divide_long(llvm::IRBuilderBase& builder, bool is_signed, bool remainder, Value* dividend, Value* divisor, unsigned quotient_bits) {
  auto* type = llvm::cast<llvm::FixedVectorType>(dividend->getType());
  auto* real = llvm::FixedVectorType::get(builder.getDoubleTy(), type->getNumElements());
  Value* rest = is_signed ? absolute(builder, dividend) : dividend;
  Value* by = is_signed ? absolute(builder, divisor) : divisor;
  Value* inverse = builder.CreateFDiv(llvm::ConstantFP::get(real, 1 - 0x1p-50), builder.CreateUIToFP(by, real));
  Value* quotient = nullptr;
  for (unsigned estimates = quotient_bits <= kOneEstimateBits ? 1 : 2; estimates > 0; --estimates) {
    Value* part = builder.CreateFPToUI(builder.CreateFMul(builder.CreateUIToFP(rest, real), inverse), type);
    rest = builder.CreateSub(rest, builder.CreateMul(part, by));
    quotient = quotient ? builder.CreateAdd(quotient, part) : part;
  }
  if (remainder) {
    rest = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rest, builder.CreateSub(rest, by));
    return is_signed ? with_sign(builder, rest, dividend) : rest;
  }
  Value* one_more = builder.CreateAdd(quotient, llvm::ConstantInt::get(type, 1));
  quotient = builder.CreateSelect(builder.CreateICmpUGE(rest, by), one_more, quotient);
  return is_signed ? with_sign(builder, quotient, builder.CreateXor(dividend, divisor)) : quotient;
}

}  // namespace weft::compiler::simt
