// Arithmetic, comparisons, selects and casts.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/widen/counted_quotients.h"
#include "compiler/simt/widen/lane_loop.h"
#include "compiler/simt/widen/long_division.h"
#include "compiler/simt/widen/operations.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Compares an affine value of stride 1 with a uniform one: one narrow comparison finds the lanes below the bound. Null where
/// `instruction` is none such.
Value* compare_progression(Widening& w, llvm::Instruction& instruction) {
  auto& compare = llvm::cast<llvm::ICmpInst>(instruction);
  Value* left = compare.getOperand(0);
  Value* right = compare.getOperand(1);
  auto predicate = compare.getPredicate();
  if (w.is_uniform(left)) {
    std::swap(left, right);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const Shape shape = w.shape(left);
  if (!w.is_uniform(right) || !left->getType()->isIntegerTy() || !shape.is_affine() || shape.stride != 1 ||
      shape.segment != w.lanes || shape.checked || (w.mask && !w.mask.is_prefix()))
    return nullptr;
  const bool is_signed = compare.isSigned();
  if (compare.isEquality() || (is_signed ? !shape.no_signed_wrap : !shape.no_unsigned_wrap)) return nullptr;
  if (left->getType()->getIntegerBitWidth() < 32) return nullptr;
  Value* base = w.values.scalar_at(left, 0);
  Value* bound = w.values.uniform(right);
  // base + l < bound  <=>  l < bound - base, where that is positive;  base + l <= bound  <=>  l <= bound - base.
  const bool negate = predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_UGE ||
                      predicate == llvm::CmpInst::ICMP_SGT || predicate == llvm::CmpInst::ICMP_SGE;
  if (negate) predicate = llvm::CmpInst::getInversePredicate(predicate);
  const bool inclusive = predicate == llvm::CmpInst::ICMP_ULE || predicate == llvm::CmpInst::ICMP_SLE;
  Value* below = w.builder.CreateICmp(predicate, base, bound);
  Value* room = w.builder.CreateSub(bound, base);
  auto* most = llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(room->getType(), inclusive ? w.lanes - 1 : w.lanes));
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(room);  // umin of constants does not fold by itself
  room = !known                                    ? w.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, room, most)
         : known->getValue().ult(most->getValue()) ? room
                                                   : most;
  if (inclusive) room = w.builder.CreateAdd(room, llvm::ConstantInt::get(room->getType(), 1));
  Value* count = w.builder.CreateSelect(below, room, llvm::Constant::getNullValue(room->getType()));
  auto* narrow = w.lanes < 256 ? w.builder.getInt8Ty() : w.builder.getInt16Ty();
  Value* splat = w.builder.CreateVectorSplat(w.lanes, w.builder.CreateTrunc(count, narrow));
  Value* numbers = w.lane_numbers(narrow, w.lanes, 1);
  return negate ? w.builder.CreateICmpUGE(numbers, splat) : w.builder.CreateICmpULT(numbers, splat);
}

/// The bits that the absolute value of a quotient of 64 bits may have.
unsigned quotient_bits(const llvm::Instruction& division, bool is_signed, const llvm::APInt* divisor) {
  const llvm::KnownBits known = llvm::computeKnownBits(division.getOperand(0), division.getDataLayout());
  const unsigned dividend_bits = !is_signed || known.isNonNegative() ? 64 - known.countMinLeadingZeros() : 64;
  const unsigned divisor_bits = divisor ? (is_signed ? divisor->abs() : *divisor).getActiveBits() : 1;
  return dividend_bits < divisor_bits ? 1 : dividend_bits - divisor_bits + 1;
}

/// Divides 32 bits and fewer by a number that lanes share: by its inverse in floating point, which all lanes have alike, made greater by
/// what both roundings may take. A quotient and the next whole number are further from each other than that adds, so truncation is exact.
Value* divide_by_shared(llvm::IRBuilderBase& builder, bool is_signed, Value* dividend, Value* divisor, llvm::VectorType* real) {
  auto* number = llvm::cast<llvm::IntegerType>(divisor->getType());
  llvm::Type* scalar = real->getElementType();
  divisor =
      builder.CreateSelect(builder.CreateICmpEQ(divisor, llvm::ConstantInt::get(number, 0)), llvm::ConstantInt::get(number, 1), divisor);
  Value* by = is_signed ? builder.CreateSIToFP(divisor, scalar) : builder.CreateUIToFP(divisor, scalar);
  Value* inverse = builder.CreateFDiv(llvm::ConstantFP::get(scalar, scalar->isFloatTy() ? 1 + 0x1p-20 : 1 + 0x1p-45), by);
  Value* a = is_signed ? builder.CreateSIToFP(dividend, real) : builder.CreateUIToFP(dividend, real);
  Value* quotient = builder.CreateFMul(a, builder.CreateVectorSplat(real->getElementCount(), inverse));
  // The least number by -1 is any number, the same for all that use it.
  return is_signed ? builder.CreateFreeze(builder.CreateFPToSI(quotient, dividend->getType()))
                   : builder.CreateFPToUI(quotient, dividend->getType());
}

}  // namespace

/// A division by zero, or of the least number by -1, is undefined for the lane that asks for it, but must not trap: the lane may
/// not even be live. Quotients of 32 bits and fewer are exact in floating point; those of 64 are made of such where the processor multiplies
/// and converts vectors of these (long_division.h).
Value* divide(Emitter& w, llvm::Instruction& instruction, Value* dividend, Value* divisor) {
  using llvm::Instruction;
  const auto opcode = static_cast<Instruction::BinaryOps>(instruction.getOpcode());
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  const bool remainder = opcode == Instruction::SRem || opcode == Instruction::URem;
  auto* type = divisor->getType();
  const bool is_long = type->isVectorTy() && type->getScalarSizeInBits() == 64 && w.traits.register_bits >= 512;
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(divisor)) {
    const Value* splat = type->isVectorTy() ? constant->getSplatValue() : constant;
    if (auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(splat); number && !number->isZero() && !number->isMinusOne()) {
      const llvm::APInt& value = number->getValue();
      const unsigned bits = is_long ? quotient_bits(instruction, is_signed, &value) : 0;
      // Else the upper half of a product of 128 bits is as good (wide/long_quotients.h).
      if (is_long && bits <= kOneEstimateBits && !(is_signed ? value.abs() : value).isPowerOf2())
        return divide_long(w.builder, is_signed, remainder, dividend, divisor, bits);
      return w.builder.CreateBinOp(opcode, dividend, divisor);
    }
  }
  const bool in_floats = type->isVectorTy() && type->getScalarSizeInBits() <= 32;
  auto* real = !in_floats ? nullptr
                          : llvm::FixedVectorType::get(type->getScalarSizeInBits() <= 16 ? w.builder.getFloatTy() : w.builder.getDoubleTy(),
                                                       llvm::cast<llvm::FixedVectorType>(type)->getNumElements());
  if (Value* shared = in_floats ? llvm::getSplatValue(divisor) : nullptr) {
    Value* quotient = divide_by_shared(w.builder, is_signed, dividend, shared, real);
    return remainder ? w.builder.CreateSub(dividend, w.builder.CreateMul(quotient, divisor)) : quotient;
  }
  if (!in_floats && !is_long) {
    // A lane that is not live may hold poison, which would make an integer division undefined for all lanes.
    divisor = w.builder.CreateFreeze(divisor);
    if (is_signed) dividend = w.builder.CreateFreeze(dividend);
  }
  auto* one = llvm::ConstantInt::get(type, 1);
  Value* bad = w.builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  if (is_signed && !is_long) {
    auto* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
    bad = w.builder.CreateOr(bad, w.builder.CreateAnd(w.builder.CreateICmpEQ(dividend, least),
                                                      w.builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type))));
  }
  divisor = w.builder.CreateSelect(bad, one, divisor);
  if (is_long) return divide_long(w.builder, is_signed, remainder, dividend, divisor, quotient_bits(instruction, is_signed, nullptr));
  if (in_floats) {
    Value* a = is_signed ? w.builder.CreateSIToFP(dividend, real) : w.builder.CreateUIToFP(dividend, real);
    Value* b = is_signed ? w.builder.CreateSIToFP(divisor, real) : w.builder.CreateUIToFP(divisor, real);
    Value* q = w.builder.CreateFDiv(a, b);
    Value* quotient = is_signed ? w.builder.CreateFPToSI(q, type) : w.builder.CreateFPToUI(q, type);
    if (!remainder) return quotient;
    return w.builder.CreateSub(dividend, w.builder.CreateMul(quotient, divisor));
  }
  return w.builder.CreateBinOp(opcode, dividend, divisor);
}

Parts widen_arithmetic(Widening& w, llvm::Instruction& instruction) {
  using llvm::Instruction;
  const unsigned opcode = instruction.getOpcode();
  if (opcode == Instruction::ICmp && !w.values.has_vector(instruction))
    if (Value* mask = compare_progression(w, instruction)) return {mask};
  if (instruction.isIntDivRem() && w.control.is_on(passes::Pass::kCountedQuotients))
    if (Parts counted = counted_quotients(w, instruction); !counted.empty()) return counted;
  // The condition of a select is one for each lane or, of an OpenCL vector, one for each component.
  const bool scalar_condition = opcode == Instruction::Select && !instruction.getOperand(0)->getType()->isVectorTy();
  if (scalar_condition && w.is_uniform(instruction.getOperand(0))) {
    Value* condition = w.values.uniform(instruction.getOperand(0));
    const Parts yes = w.values.vector(instruction.getOperand(1)), no = w.values.vector(instruction.getOperand(2));
    Parts parts;
    for (unsigned i = 0; i < yes.size(); ++i) parts.push_back(w.builder.CreateSelect(condition, yes[i], no[i]));
    return parts;
  }
  if (opcode == Instruction::AddrSpaceCast) return w.values.vector(instruction.getOperand(0));
  llvm::SmallVector<Parts, 3> operands;
  for (Value* operand : instruction.operands()) operands.push_back(w.values.vector(operand));
  const auto types = w.components(instruction.getType());
  Parts parts;
  for (unsigned i = 0; i < types.size(); ++i) {
    auto part = [&](unsigned operand) {
      return operands[operand].size() == 1 ? operands[operand].front() : operands[operand][i];
    };
    Value* value = nullptr;
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      const auto op = binary->getOpcode();
      if (op == Instruction::SDiv || op == Instruction::UDiv || op == Instruction::SRem || op == Instruction::URem)
        value = divide(w, instruction, part(0), part(1));
      else
        value = w.builder.CreateBinOp(op, part(0), part(1), instruction.getName());
    } else if (llvm::isa<llvm::UnaryOperator>(instruction)) {
      value = w.builder.CreateUnOp(static_cast<Instruction::UnaryOps>(opcode), part(0), instruction.getName());
    } else if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
      value = w.builder.CreateCmp(compare->getPredicate(), part(0), part(1), instruction.getName());
    } else if (opcode == Instruction::Select) {
      value = w.builder.CreateSelect(part(0), part(1), part(2), instruction.getName());
    } else if (opcode == Instruction::Freeze) {
      value = w.builder.CreateFreeze(part(0), instruction.getName());
    } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
      value = w.builder.CreateCast(cast->getOpcode(), part(0), w.wide(types[i]), instruction.getName());
    } else {
      return lane_loop(w, instruction);
    }
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(value); made && made->getOpcode() == opcode)
      made->copyIRFlags(&instruction);
    // What OpenCL allows quotients (wide/float_quotients.h).
    if (opcode == Instruction::FDiv) llvm::cast<Instruction>(value)->copyMetadata(instruction, llvm::LLVMContext::MD_fpmath);
    parts.push_back(value);
  }
  return parts;
}

}  // namespace weft::compiler::simt
