// Instructions that work on each lane by itself.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/float_parts.h"
#include "compiler/simt/widen/reciprocal_root.h"
#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::Value;

Parts Widener::elementwise(llvm::Instruction& instruction) {
  using llvm::Instruction;
  const unsigned opcode = instruction.getOpcode();
  if (opcode == Instruction::ICmp && vectors_.find(&instruction) == vectors_.end())
    if (Value* mask = compare_progression(instruction)) return {mask};
  // A select between values under one condition a lane or, for an OpenCL vector, one a component.
  const bool scalar_condition = opcode == Instruction::Select && !instruction.getOperand(0)->getType()->isVectorTy();
  if (scalar_condition && is_uniform(instruction.getOperand(0))) {
    Value* condition = uniform(instruction.getOperand(0));
    const Parts yes = vector(instruction.getOperand(1)), no = vector(instruction.getOperand(2));
    Parts parts;
    for (unsigned i = 0; i < yes.size(); ++i) parts.push_back(builder_.CreateSelect(condition, yes[i], no[i]));
    return parts;
  }
  if (opcode == Instruction::AddrSpaceCast) return vector(instruction.getOperand(0));
  llvm::SmallVector<Parts, 3> operands;
  for (Value* operand : instruction.operands()) operands.push_back(vector(operand));
  const auto types = components(instruction.getType());
  Parts parts;
  for (unsigned i = 0; i < types.size(); ++i) {
    auto part = [&](unsigned operand) {
      return operands[operand].size() == 1 ? operands[operand].front() : operands[operand][i];
    };
    Value* value = nullptr;
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      const auto op = binary->getOpcode();
      if (op == Instruction::SDiv || op == Instruction::UDiv || op == Instruction::SRem || op == Instruction::URem)
        value = divide(instruction, part(0), part(1));
      else
        value = builder_.CreateBinOp(op, part(0), part(1), instruction.getName());
    } else if (llvm::isa<llvm::UnaryOperator>(instruction)) {
      value = builder_.CreateUnOp(static_cast<Instruction::UnaryOps>(opcode), part(0), instruction.getName());
    } else if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
      value = builder_.CreateCmp(compare->getPredicate(), part(0), part(1), instruction.getName());
    } else if (opcode == Instruction::Select) {
      value = builder_.CreateSelect(part(0), part(1), part(2), instruction.getName());
    } else if (opcode == Instruction::Freeze) {
      value = builder_.CreateFreeze(part(0), instruction.getName());
    } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
      value = builder_.CreateCast(cast->getOpcode(), part(0), wide(types[i]), instruction.getName());
    } else {
      return lane_loop(instruction);
    }
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(value); made && made->getOpcode() == opcode)
      made->copyIRFlags(&instruction);
    parts.push_back(value);
  }
  return parts;
}

/// A division by zero, or of the least number by -1, is undefined for the lane that asks for it; it must not
/// trap, least of all for a lane that is not live. 32-bit and narrower quotients are exact in floating point.
Value* Widener::divide(llvm::Instruction& instruction, Value* dividend, Value* divisor) {
  using llvm::Instruction;
  const auto opcode = static_cast<Instruction::BinaryOps>(instruction.getOpcode());
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  const bool remainder = opcode == Instruction::SRem || opcode == Instruction::URem;
  auto* type = divisor->getType();
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(divisor)) {
    const Value* splat = type->isVectorTy() ? constant->getSplatValue() : constant;
    if (auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(splat); number && !number->isZero() && !number->isMinusOne())
      return builder_.CreateBinOp(opcode, dividend, divisor);
  }
  const bool in_floats = type->isVectorTy() && type->getScalarSizeInBits() <= 32;
  if (!in_floats) {
    // What a lane that is not live holds may be undefined; an integer division would be so for all lanes then.
    divisor = builder_.CreateFreeze(divisor);
    if (is_signed) dividend = builder_.CreateFreeze(dividend);
  }
  auto* one = llvm::ConstantInt::get(type, 1);
  Value* bad = builder_.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  if (is_signed) {
    auto* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
    bad = builder_.CreateOr(bad, builder_.CreateAnd(builder_.CreateICmpEQ(dividend, least),
                                                    builder_.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type))));
  }
  divisor = builder_.CreateSelect(bad, one, divisor);
  if (in_floats) {
    auto* real = llvm::FixedVectorType::get(
        type->getScalarSizeInBits() <= 16 ? builder_.getFloatTy() : builder_.getDoubleTy(),
        llvm::cast<llvm::FixedVectorType>(type)->getNumElements());
    Value* a = is_signed ? builder_.CreateSIToFP(dividend, real) : builder_.CreateUIToFP(dividend, real);
    Value* b = is_signed ? builder_.CreateSIToFP(divisor, real) : builder_.CreateUIToFP(divisor, real);
    Value* q = builder_.CreateFDiv(a, b);
    Value* quotient = is_signed ? builder_.CreateFPToSI(q, type) : builder_.CreateFPToUI(q, type);
    if (!remainder) return quotient;
    return builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor));
  }
  return builder_.CreateBinOp(opcode, dividend, divisor);
}

/// An affine value of stride 1 against a uniform one: the lanes below a bound, found in one narrow comparison.
Value* Widener::compare_progression(llvm::Instruction& instruction) {
  auto& compare = llvm::cast<llvm::ICmpInst>(instruction);
  Value* left = compare.getOperand(0);
  Value* right = compare.getOperand(1);
  auto predicate = compare.getPredicate();
  if (is_uniform(left)) {
    std::swap(left, right);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const Shape shape = this->shape(left);
  if (!is_uniform(right) || !left->getType()->isIntegerTy() || !shape.is_affine() || shape.stride != 1 ||
      shape.segment != lanes_ || shape.checked || (mask_ && !mask_is_prefix_))
    return nullptr;
  const bool is_signed = compare.isSigned();
  if (compare.isEquality() || (is_signed ? !shape.no_signed_wrap : !shape.no_unsigned_wrap)) return nullptr;
  if (left->getType()->getIntegerBitWidth() < 32) return nullptr;
  Value* base = scalar_at(left, 0);
  Value* bound = uniform(right);
  // base + l < bound  <=>  l < bound - base, where that is positive;  base + l <= bound  <=>  l <= bound - base.
  const bool negate = predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_UGE ||
                      predicate == llvm::CmpInst::ICMP_SGT || predicate == llvm::CmpInst::ICMP_SGE;
  if (negate) predicate = llvm::CmpInst::getInversePredicate(predicate);
  const bool inclusive = predicate == llvm::CmpInst::ICMP_ULE || predicate == llvm::CmpInst::ICMP_SLE;
  Value* below = builder_.CreateICmp(predicate, base, bound);
  Value* room = builder_.CreateSub(bound, base);
  auto* most = llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(room->getType(), inclusive ? lanes_ - 1 : lanes_));
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(room);  // umin of constants does not fold by itself
  room = !known ? builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, room, most)
         : known->getValue().ult(most->getValue()) ? room : most;
  if (inclusive) room = builder_.CreateAdd(room, llvm::ConstantInt::get(room->getType(), 1));
  Value* count = builder_.CreateSelect(below, room, llvm::Constant::getNullValue(room->getType()));
  auto* narrow = lanes_ < 256 ? builder_.getInt8Ty() : builder_.getInt16Ty();
  Value* splat = builder_.CreateVectorSplat(lanes_, builder_.CreateTrunc(count, narrow));
  Value* numbers = lane_numbers(narrow, lanes_, 1);
  return negate ? builder_.CreateICmpUGE(numbers, splat) : builder_.CreateICmpULT(numbers, splat);
}

Value* Widener::reduce(Value* mask, bool any) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  Value* bits = builder_.CreateBitCast(mask, builder_.getIntNTy(lanes));
  return any ? builder_.CreateIsNotNull(bits)
             : builder_.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()));
}

Parts Widener::widen_gep(llvm::Instruction& instruction) {
  auto& gep = llvm::cast<llvm::GetElementPtrInst>(instruction);
  auto operand = [&](Value* value) { return is_uniform(value) ? uniform(value) : vector1(value); };
  Value* base = operand(gep.getPointerOperand());
  llvm::SmallVector<Value*, 4> indices;
  bool any_vector = base->getType()->isVectorTy();
  for (Value* index : gep.indices()) {
    indices.push_back(operand(index));
    any_vector |= indices.back()->getType()->isVectorTy();
  }
  Value* result = builder_.CreateGEP(gep.getSourceElementType(), base, indices, gep.getName());
  return {any_vector ? result : builder_.CreateVectorSplat(lanes_, result)};
}

/// Reinterprets the bits of a lane, between scalars and OpenCL vectors of any component sizes.
Parts Widener::widen_bitcast(llvm::Instruction& instruction) {
  const Parts from = vector(instruction.getOperand(0));
  const auto types = components(instruction.getType());
  Parts parts;
  if (from.size() == types.size()) {
    for (unsigned i = 0; i < types.size(); ++i) parts.push_back(builder_.CreateBitCast(from[i], wide(types[i])));
    return parts;
  }
  auto* from_scalar = from.front()->getType()->getScalarType();
  const unsigned from_bits = static_cast<unsigned>(layout_.getTypeSizeInBits(from_scalar));
  const unsigned to_bits = static_cast<unsigned>(layout_.getTypeSizeInBits(types.front()));
  auto* from_integer = wide(builder_.getIntNTy(from_bits));
  auto* to_integer = wide(builder_.getIntNTy(to_bits));
  if (from_bits < to_bits) {  // little-endian: the first component is the low one
    const unsigned ratio = to_bits / from_bits;
    for (unsigned i = 0; i < types.size(); ++i) {
      Value* bits = nullptr;
      for (unsigned j = 0; j < ratio; ++j) {
        Value* piece = builder_.CreateZExt(builder_.CreateBitCast(from[i * ratio + j], from_integer), to_integer);
        if (j) piece = builder_.CreateShl(piece, std::uint64_t{j} * from_bits);
        bits = bits ? builder_.CreateOr(bits, piece) : piece;
      }
      parts.push_back(builder_.CreateBitCast(bits, wide(types[i])));
    }
    return parts;
  }
  const unsigned ratio = from_bits / to_bits;
  for (unsigned i = 0; i < types.size(); ++i) {
    Value* bits = builder_.CreateBitCast(from[i / ratio], from_integer);
    if (i % ratio) bits = builder_.CreateLShr(bits, std::uint64_t{i % ratio} * to_bits);
    parts.push_back(builder_.CreateBitCast(builder_.CreateTrunc(bits, to_integer), wide(types[i])));
  }
  return parts;
}

namespace {

/// Position of an extractvalue's member among the flattened components, and how many it takes.
std::pair<unsigned, unsigned> flattened(llvm::Type* type, llvm::ArrayRef<unsigned> indices,
                                        llvm::function_ref<unsigned(llvm::Type*)> count) {
  unsigned first = 0;
  for (unsigned index : indices) {
    for (unsigned i = 0; i < index; ++i) first += count(llvm::ExtractValueInst::getIndexedType(type, i));
    type = llvm::ExtractValueInst::getIndexedType(type, index);
  }
  return {first, count(type)};
}

}  // namespace

Parts Widener::widen_extract(llvm::Instruction& instruction) {
  const Parts from = vector(instruction.getOperand(0));
  auto count = [&](llvm::Type* type) { return static_cast<unsigned>(components(type).size()); };
  if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const auto [first, size] = flattened(extract->getAggregateOperand()->getType(), extract->getIndices(), count);
    return Parts(from.begin() + first, from.begin() + first + size);
  }
  Value* index = instruction.getOperand(1);
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index))
    return {constant->getZExtValue() < from.size() ? from[constant->getZExtValue()]
                                                   : llvm::PoisonValue::get(from.front()->getType())};
  Value* chosen = from.front();
  Value* which = is_uniform(index) ? uniform(index) : vector1(index);
  for (unsigned i = 1; i < from.size(); ++i)
    chosen = builder_.CreateSelect(builder_.CreateICmpEQ(which, llvm::ConstantInt::get(which->getType(), i)), from[i],
                                   chosen);
  return {chosen};
}

Parts Widener::widen_insert(llvm::Instruction& instruction) {
  Parts into = vector(instruction.getOperand(0));
  const Parts value = vector(instruction.getOperand(1));
  auto count = [&](llvm::Type* type) { return static_cast<unsigned>(components(type).size()); };
  if (auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    const auto [first, size] = flattened(insert->getAggregateOperand()->getType(), insert->getIndices(), count);
    std::copy(value.begin(), value.end(), into.begin() + first);
    return into;
  }
  Value* index = instruction.getOperand(2);
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    if (constant->getZExtValue() < into.size()) into[constant->getZExtValue()] = value.front();
    return into;
  }
  Value* which = is_uniform(index) ? uniform(index) : vector1(index);
  for (unsigned i = 0; i < into.size(); ++i)
    into[i] = builder_.CreateSelect(builder_.CreateICmpEQ(which, llvm::ConstantInt::get(which->getType(), i)),
                                    value.front(), into[i]);
  return into;
}

Parts Widener::widen_shuffle(llvm::Instruction& instruction) {
  const auto& shuffle = llvm::cast<llvm::ShuffleVectorInst>(instruction);
  const Parts a = vector(shuffle.getOperand(0)), b = vector(shuffle.getOperand(1));
  Parts parts;
  for (int source : shuffle.getShuffleMask()) {
    if (source < 0)
      parts.push_back(llvm::PoisonValue::get(a.front()->getType()));
    else
      parts.push_back(static_cast<unsigned>(source) < a.size() ? a[source] : b[source - a.size()]);
  }
  return parts;
}

Parts Widener::widen_call(llvm::CallBase& call) {
  const llvm::StringRef name = called_name(call);
  if (name == primitive::kAny || name == primitive::kAll) {
    fail(call, "a vote outside uniform control");  // votes are uniform and never come here
    return {};
  }
  if (name.starts_with(primitive::kSlotStore)) {
    store_slot(call);
    return {};
  }
  if (name.starts_with(primitive::kSlotLoad)) return load_slot(call);
  if (name.starts_with(primitive::kLanes)) return shuffle_lanes(call);
  if (Parts parts = vector_primitive(call); !parts.empty()) return parts;
  if (name.starts_with(primitive::kReciprocalRoot))
    return {reciprocal_root(builder_, vector1(call.getArgOperand(0)), request_.traits.estimate_bits)};
  if (name.starts_with(primitive::kFloatPart)) {
    llvm::SmallVector<Value*, 3> arguments;
    for (Value* argument : call.args()) arguments.push_back(vector1(argument));
    return {float_part(builder_, name, arguments, request_.traits.estimate_bits)};
  }
  if (name == primitive::kPrefetch) {
    widen_prefetch(call);
    return {};
  }
  if (llvm::isa<llvm::IntrinsicInst>(call)) return widen_intrinsic(call);
  return lane_loop(call);
}

Parts Widener::widen_intrinsic(llvm::CallBase& call) {
  const auto id = llvm::cast<llvm::IntrinsicInst>(call).getIntrinsicID();
  switch (id) {
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::sideeffect:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::invariant_end:
      return {};
    default: break;
  }
  const bool overflow = llvm::isa<llvm::WithOverflowInst>(call);
  // Reductions over an OpenCL vector fold its components.
  auto fold = [&](llvm::Instruction::BinaryOps op) {
    const Parts parts = vector(call.getArgOperand(0));
    Value* result = parts.front();
    for (unsigned i = 1; i < parts.size(); ++i) result = builder_.CreateBinOp(op, result, parts[i]);
    return Parts{result};
  };
  auto fold_call = [&](llvm::Intrinsic::ID op) {
    const Parts parts = vector(call.getArgOperand(0));
    Value* result = parts.front();
    for (unsigned i = 1; i < parts.size(); ++i) result = builder_.CreateBinaryIntrinsic(op, result, parts[i]);
    return Parts{result};
  };
  switch (id) {
    case llvm::Intrinsic::vector_reduce_or: return fold(llvm::Instruction::Or);
    case llvm::Intrinsic::vector_reduce_and: return fold(llvm::Instruction::And);
    case llvm::Intrinsic::vector_reduce_xor: return fold(llvm::Instruction::Xor);
    case llvm::Intrinsic::vector_reduce_add: return fold(llvm::Instruction::Add);
    case llvm::Intrinsic::vector_reduce_mul: return fold(llvm::Instruction::Mul);
    case llvm::Intrinsic::vector_reduce_umax: return fold_call(llvm::Intrinsic::umax);
    case llvm::Intrinsic::vector_reduce_umin: return fold_call(llvm::Intrinsic::umin);
    case llvm::Intrinsic::vector_reduce_smax: return fold_call(llvm::Intrinsic::smax);
    case llvm::Intrinsic::vector_reduce_smin: return fold_call(llvm::Intrinsic::smin);
    default: break;
  }
  if (!llvm::isTriviallyVectorizable(id) && !overflow) return lane_loop(call);
  llvm::SmallVector<Parts, 3> operands;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (llvm::isVectorIntrinsicWithScalarOpAtArg(id, i)) {
      if (!is_uniform(call.getArgOperand(i))) return lane_loop(call);
      operands.push_back({uniform(call.getArgOperand(i))});
    } else {
      operands.push_back(vector(call.getArgOperand(i)));
    }
  }
  const auto types = components(overflow ? call.getArgOperand(0)->getType() : call.getType());
  Parts parts, flags;
  for (unsigned c = 0; c < types.size(); ++c) {
    llvm::SmallVector<Value*, 3> arguments;
    llvm::SmallVector<llvm::Type*, 2> overloads;
    if (overflow)
      overloads.push_back(wide(types[c]));
    else if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1))
      overloads.push_back(wide(types[c]));
    for (unsigned i = 0; i < operands.size(); ++i) {
      Value* argument = operands[i].size() == 1 ? operands[i].front() : operands[i][c];
      arguments.push_back(argument);
      if (!overflow && llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i)))
        overloads.push_back(argument->getType());
    }
    llvm::Function* callee = llvm::Intrinsic::getDeclaration(scalar_.getParent(), id, overloads);
    llvm::CallInst* made = builder_.CreateCall(callee, arguments, call.getName());
    if (llvm::isa<llvm::FPMathOperator>(call) && llvm::isa<llvm::FPMathOperator>(made)) made->copyFastMathFlags(&call);
    if (overflow) {
      parts.push_back(builder_.CreateExtractValue(made, 0));
      flags.push_back(builder_.CreateExtractValue(made, 1));
    } else {
      parts.push_back(made);
    }
  }
  parts.append(flags);
  return parts;
}

}  // namespace weft::compiler::simt
