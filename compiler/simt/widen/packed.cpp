// OpenCL vectors in packed form: lane after lane, each with all its components, as memory holds them.
//
// A load of an OpenCL vector by consecutive lanes, arithmetic on it and its store need no shuffle in this form; only
// where components are taken apart (extractelement, a shuffle, an operand in the other form) is it split into a
// vector a component, once, where it is defined.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::Value;

llvm::FixedVectorType* Widener::packed_type(llvm::Type* type) const {
  auto* vector = llvm::cast<llvm::FixedVectorType>(type);
  return llvm::FixedVectorType::get(lowered(vector->getElementType()), vector->getNumElements() * lanes_);
}

/// Operations that are the same whatever the order of components, where all operands can be had in packed form.
bool Widener::can_be_packed(const llvm::Instruction& instruction) const {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  if (!type || type->getElementType()->isIntegerTy(1)) return false;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Load: return !llvm::cast<llvm::LoadInst>(instruction).isAtomic();
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem: return false;
    case llvm::Instruction::PHI:
    case llvm::Instruction::Freeze: return true;
    case llvm::Instruction::Select: return is_uniform(instruction.getOperand(0)) && !instruction.getOperand(0)->getType()->isVectorTy();
    case llvm::Instruction::Call: {
      const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!intrinsic || !llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID())) return false;
      for (const Value* argument : intrinsic->args())
        if (!argument->getType()->isVectorTy()) return false;
      return true;
    }
    default: break;
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    auto* source = llvm::dyn_cast<llvm::FixedVectorType>(cast->getSrcTy());
    return source && !source->getElementType()->isIntegerTy(1);
  }
  return llvm::isa<llvm::BinaryOperator>(instruction) || llvm::isa<llvm::UnaryOperator>(instruction);
}

void Widener::choose_packed() {
  for (llvm::Instruction& instruction : llvm::instructions(scalar_))
    if (!shape(&instruction).is_affine() && can_be_packed(instruction)) packed_form_.insert(&instruction);
  auto fits = [&](const Value* operand) {
    return !operand->getType()->isVectorTy() || packed_form_.contains(operand) || shapes_.is_uniform(*operand);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Instruction& instruction : llvm::instructions(scalar_)) {
      if (!packed_form_.contains(&instruction) || llvm::isa<llvm::LoadInst>(instruction)) continue;
      if (llvm::all_of(instruction.operands(), [&](const llvm::Use& use) { return fits(use.get()); })) continue;
      packed_form_.erase(&instruction);
      changed = true;
    }
  }
}

Value* Widener::packed(Value* value) {
  if (const auto found = packed_.find(value); found != packed_.end()) return found->second;
  auto* type = packed_type(value->getType());
  if (llvm::isa<llvm::UndefValue>(value)) return llvm::PoisonValue::get(type);
  if (is_uniform(value)) {
    const unsigned count = llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements();
    llvm::SmallVector<int, 256> mask;
    for (unsigned i = 0; i < type->getNumElements(); ++i) mask.push_back(static_cast<int>(i % count));
    return builder_.CreateShuffleVector(uniform(value), mask);
  }
  return interleave(vector(value));
}

/// Splits the packed `value` of `instruction` at its definition, for all uses.
Parts Widener::unpack(const Value& instruction, Value* value) {
  const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  if (auto* defined = llvm::dyn_cast<llvm::Instruction>(value))
    if (auto point = defined->getInsertionPointAfterDef()) builder_.SetInsertPoint(*point);
  Parts parts;
  deinterleave(value, llvm::cast<llvm::FixedVectorType>(instruction.getType())->getNumElements(), parts);
  return parts;
}

Value* Widener::packed_operation(llvm::Instruction& instruction) {
  using llvm::Instruction;
  const unsigned opcode = instruction.getOpcode();
  auto operand = [&](unsigned i) { return packed(instruction.getOperand(i)); };
  Value* value = nullptr;
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    value = builder_.CreateBinOp(binary->getOpcode(), operand(0), operand(1), instruction.getName());
  } else if (llvm::isa<llvm::UnaryOperator>(instruction)) {
    value = builder_.CreateUnOp(static_cast<Instruction::UnaryOps>(opcode), operand(0), instruction.getName());
  } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    value = cast->getOpcode() == Instruction::AddrSpaceCast
                ? operand(0)
                : builder_.CreateCast(cast->getOpcode(), operand(0), packed_type(instruction.getType()));
  } else if (opcode == Instruction::Freeze) {
    value = builder_.CreateFreeze(operand(0));
  } else if (opcode == Instruction::Select) {
    value = builder_.CreateSelect(uniform(instruction.getOperand(0)), operand(1), operand(2));
  } else {
    auto& call = llvm::cast<llvm::IntrinsicInst>(instruction);
    const auto id = call.getIntrinsicID();
    llvm::SmallVector<Value*, 3> arguments;
    llvm::SmallVector<llvm::Type*, 2> overloads;
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) overloads.push_back(packed_type(call.getType()));
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      arguments.push_back(operand(i));
      if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i)))
        overloads.push_back(arguments.back()->getType());
    }
    llvm::CallInst* made =
        builder_.CreateCall(llvm::Intrinsic::getDeclaration(scalar_.getParent(), id, overloads), arguments);
    if (llvm::isa<llvm::FPMathOperator>(call) && llvm::isa<llvm::FPMathOperator>(made)) made->copyFastMathFlags(&call);
    return made;
  }
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(value); made && made->getOpcode() == opcode)
    made->copyIRFlags(&instruction);
  return value;
}

/// Splits x0 y0 x1 y1 ... into x and y, by halves where the count is even: each step shuffles two registers into one.
void Widener::deinterleave(Value* vector, unsigned count, Parts& parts) {
  if (count == 1) {
    parts.push_back(vector);
    return;
  }
  const unsigned groups = count % 2 == 0 ? 2 : count;
  const unsigned unit = count / groups;
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements() / count;
  for (unsigned group = 0; group < groups; ++group) {
    llvm::SmallVector<int, 256> mask;
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned i = 0; i < unit; ++i) mask.push_back(static_cast<int>(lane * count + group * unit + i));
    deinterleave(builder_.CreateShuffleVector(vector, mask), unit, parts);
  }
}

/// The inverse: x and y to x0 y0 x1 y1 ...
Value* Widener::interleave(llvm::ArrayRef<Value*> parts) {
  const unsigned count = static_cast<unsigned>(parts.size());
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(parts.front()->getType())->getNumElements();
  if (count == 1) return parts.front();
  llvm::SmallVector<int, 256> mask;
  if (count % 2 == 0) {
    const unsigned unit = count / 2;
    Value* low = interleave(parts.take_front(unit));
    Value* high = interleave(parts.drop_front(unit));
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned half = 0; half < 2; ++half)
        for (unsigned i = 0; i < unit; ++i) mask.push_back(static_cast<int>((half * lanes + lane) * unit + i));
    return builder_.CreateShuffleVector(low, high, mask);
  }
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned c = 0; c < count; ++c) mask.push_back(static_cast<int>(c * lanes + lane));
  return builder_.CreateShuffleVector(llvm::concatenateVectors(builder_, parts), mask);
}

}  // namespace weft::compiler::simt
