#include "compiler/simt/widen/memory/progressions.h"

#include <llvm/IR/Instructions.h>

#include "compiler/simt/widen/memory/access.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Operations through which an address is followed.
constexpr unsigned kDeepest = 8;
/// Addresses of so many lanes are one address and multiples of a distance: as many as an operand of the processor can name, with 3 times
/// the distance in a register.
constexpr unsigned kNamedLanes = 4;

bool is_address_wide(const Value& value) { return value.getType()->isPointerTy() || value.getType()->isIntegerTy(64); }
bool is_exact(const llvm::Instruction& instruction) { return is_address_wide(instruction) || instruction.hasNoSignedWrap(); }

}  // namespace

bool Progressions::is_one(const Value& value, unsigned depth) const {
  const Shape shape = w_.shape(&value);
  if (!llvm::isa<llvm::Instruction>(value)) return true;
  if (shape.is_affine()) return !shape.checked && shape.segment >= lanes_ && (shape.no_signed_wrap || is_address_wide(value));
  if (depth == kDeepest || value.getType()->isVectorTy()) return false;
  const auto& instruction = llvm::cast<llvm::Instruction>(value);
  const auto operand = [&](unsigned i) { return is_one(*instruction.getOperand(i), depth + 1); };
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
      return is_exact(instruction) && operand(0) && operand(1);
    case llvm::Instruction::Mul:
      return is_exact(instruction) && operand(0) && operand(1) &&
             (w_.is_uniform(instruction.getOperand(0)) || w_.is_uniform(instruction.getOperand(1)));
    case llvm::Instruction::Shl:
      return is_exact(instruction) && operand(0) && llvm::isa<llvm::ConstantInt>(instruction.getOperand(1));
    case llvm::Instruction::SExt:
      return operand(0);
    case llvm::Instruction::ZExt:
      return instruction.hasNonNeg() && operand(0);
    case llvm::Instruction::GetElementPtr: {
      const auto& gep = llvm::cast<llvm::GetElementPtrInst>(instruction);
      return gep.getNumIndices() == 1 && gep.getOperand(1)->getType()->isIntegerTy(64) && operand(0) && operand(1);
    }
    default:
      return false;
  }
}

Progression Progressions::get(Value& value) {
  auto& builder = w_.builder;
  const Shape shape = w_.shape(&value);
  if (!llvm::isa<llvm::Instruction>(value) || shape.is_affine())
    return {w_.values.scalar_at(&value, 0),
            builder.getInt64(static_cast<std::uint64_t>(llvm::isa<llvm::Instruction>(value) ? shape.stride : 0))};
  auto& instruction = llvm::cast<llvm::Instruction>(value);
  const Progression a = get(*instruction.getOperand(0));
  switch (instruction.getOpcode()) {
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
      return {builder.CreateSExt(a.first, value.getType()), a.step};
    case llvm::Instruction::Shl: {
      const std::uint64_t bits = llvm::cast<llvm::ConstantInt>(instruction.getOperand(1))->getZExtValue();
      return {builder.CreateShl(a.first, bits), builder.CreateShl(a.step, bits)};
    }
    case llvm::Instruction::GetElementPtr: {
      auto& gep = llvm::cast<llvm::GetElementPtrInst>(instruction);
      const Progression index = get(*gep.getOperand(1));
      Value* bytes = builder.getInt64(w_.layout.getTypeAllocSize(gep.getSourceElementType()).getFixedValue());
      return {builder.CreateGEP(gep.getSourceElementType(), a.first, index.first),
              builder.CreateAdd(a.step, builder.CreateMul(index.step, bytes))};
    }
    default:
      break;
  }
  const Progression b = get(*instruction.getOperand(1));
  const auto opcode = llvm::cast<llvm::BinaryOperator>(instruction).getOpcode();
  Value* first = builder.CreateBinOp(opcode, a.first, b.first);
  if (opcode != llvm::Instruction::Mul) return {first, builder.CreateBinOp(opcode, a.step, b.step)};
  const bool second_counts = w_.is_uniform(instruction.getOperand(0));
  Value* factor = builder.CreateSExt(second_counts ? a.first : b.first, builder.getInt64Ty());
  return {first, builder.CreateMul(second_counts ? b.step : a.step, factor)};
}

llvm::SmallVector<Value*, 32> addresses_of_lanes(Widening& w, const Access& access, unsigned count) {
  llvm::SmallVector<Value*, 32> found;
  if (access.shape.is_affine() && !access.shape.checked) {
    for (unsigned lane = 0; lane < count; ++lane) found.push_back(w.values.scalar_at(access.pointer, lane));
    return found;
  }
  Progressions progressions(w, count);
  if (progressions.is_one(*access.pointer)) {
    const Progression pointer = progressions.get(*access.pointer);
    auto& builder = w.builder;
    for (unsigned lane = 0; lane < count; ++lane) {
      Value* from = pointer.first;
      if (lane >= kNamedLanes)
        from = builder.CreateGEP(builder.getInt8Ty(), from,
                                 builder.CreateMul(pointer.step, builder.getInt64(lane / kNamedLanes * kNamedLanes)));
      found.push_back(lane % kNamedLanes ? builder.CreateGEP(builder.getInt8Ty(), from,
                                                             builder.CreateMul(pointer.step, builder.getInt64(lane % kNamedLanes)))
                                         : from);
    }
    return found;
  }
  for (unsigned lane = 0; lane < count; ++lane) found.push_back(w.values.value_in_lane(access.pointer, lane));
  return found;
}

}  // namespace weft::compiler::simt
