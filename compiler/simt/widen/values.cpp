// Forms of values: a scalar in one lane, a base for each segment, a vector for each component.
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::Value;

llvm::Type* Widener::lowered(llvm::Type* type) const {
  if (type->isPointerTy()) return llvm::PointerType::get(context_, 0);
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type); vector && vector->getElementType()->isPointerTy())
    return llvm::FixedVectorType::get(lowered(vector->getElementType()), vector->getNumElements());
  return type;
}

llvm::FixedVectorType* Widener::wide(llvm::Type* scalar) const {
  return llvm::FixedVectorType::get(lowered(scalar), lanes_);
}

llvm::SmallVector<llvm::Type*, 4> Widener::components(llvm::Type* type) const {
  llvm::SmallVector<llvm::Type*, 4> result;
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    result.assign(vector->getNumElements(), lowered(vector->getElementType()));
  } else if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    for (llvm::Type* member : structure->elements()) result.append(components(member));
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) result.append(components(array->getElementType()));
  } else {
    result.push_back(lowered(type));
  }
  return result;
}

llvm::Constant* Widener::lane_numbers(llvm::Type* integer, unsigned segment, std::int64_t stride) const {
  llvm::SmallVector<llvm::Constant*, 64> lanes;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    lanes.push_back(llvm::ConstantInt::get(integer, static_cast<std::uint64_t>(stride * (lane % segment)), true));
  return llvm::ConstantVector::get(lanes);
}

Value* Widener::scalar_at(Value* value, unsigned lane) {
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (!constant->getType()->isPtrOrPtrVectorTy() || constant->getType() == lowered(constant->getType()))
      return constant;
    if (constant->isNullValue()) return llvm::Constant::getNullValue(lowered(constant->getType()));
    return llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(constant, lowered(constant->getType()));
  }
  if (!llvm::isa<llvm::Instruction>(value) && !llvm::isa<llvm::Argument>(value)) return value;  // metadata
  const Shape shape = this->shape(value);
  const auto& bases = bases_[value];
  if (bases.empty()) {
    fail(*llvm::cast<llvm::Instruction>(value), "no scalar form");
    return llvm::PoisonValue::get(lowered(value->getType()));
  }
  Value* base = bases.size() == 1 ? bases.front() : bases[lane / shape.segment];
  const std::int64_t distance = bases.size() == 1 && !llvm::isa<llvm::Instruction>(value)
                                    ? 0
                                    : shape.stride * (lane % shape.segment);
  if (!distance) return base;
  if (base->getType()->isPointerTy()) return builder_.CreateGEP(builder_.getInt8Ty(), base, builder_.getInt64(distance));
  return builder_.CreateAdd(base, llvm::ConstantInt::get(base->getType(), static_cast<std::uint64_t>(distance), true));
}

Value* Widener::exact_at(Value* value, unsigned lane) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !shape(value).checked) return scalar_at(value, lane);
  return clone_at(*instruction, lane, true);
}

Value* Widener::clone_at(llvm::Instruction& instruction, unsigned lane, bool exact) {
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    if (Value* value = scalar_primitive(*call, lane)) return value;
  if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    // Lane after lane, each with a whole copy, so that any access through any pointer finds its own; or as many
    // bytes with the lanes' units side by side.
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(entry_point_);
    const std::uint64_t bytes = alloca->getAllocationSize(layout_)->getFixedValue();
    const std::uint64_t unit = std::max<std::uint64_t>(1, interleaved_unit(*alloca));
    auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), llvm::alignTo(bytes, unit) * lanes_);
    auto* copy = builder_.CreateAlloca(type, nullptr, alloca->getName());
    copy->setAlignment(std::max(alloca->getAlign(), llvm::Align(64)));
    return copy;
  }
  auto operand = [&](unsigned i) {
    Value* value = instruction.getOperand(i);
    return exact ? exact_at(value, lane) : scalar_at(value, lane);
  };
  const unsigned opcode = instruction.getOpcode();
  if (opcode == llvm::Instruction::AddrSpaceCast) return operand(0);
  // In a lane that is not live the operands need not be disjoint, and the base of a segment may be such a lane.
  if (opcode == llvm::Instruction::Or && shape(&instruction).stride != 0)
    return builder_.CreateAdd(operand(0), operand(1), instruction.getName());
  if (opcode == llvm::Instruction::ZExt && instruction.hasNonNeg() && shape(&instruction).stride != 0)
    return builder_.CreateSExt(operand(0), instruction.getType(), instruction.getName());
  const bool everyone = mask_ == nullptr || is_uniform(&instruction);
  if ((opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::UDiv || opcode == llvm::Instruction::SRem ||
       opcode == llvm::Instruction::URem) && !instruction.getType()->isVectorTy())
    return divide(instruction, operand(0), operand(1));
  llvm::SmallVector<Value*, 4> operands;
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i)
    operands.push_back(llvm::isa<llvm::Function>(instruction.getOperand(i)) ? instruction.getOperand(i) : operand(i));
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && !is_uniform(load)) {
    // A segment of which no lane is live may hold any address.
    Value* live = segment_of_mask(lane, shape(load).segment, 1);
    if (live) operands[0] = safe_pointer(operands[0], reduce(live, true), lowered(load->getType()));
  }
  llvm::Instruction* copy = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  if (copy->getType() != lowered(copy->getType())) copy->mutateType(lowered(copy->getType()));
  if (!everyone) copy->dropPoisonGeneratingAnnotations();
  if (llvm::isa<llvm::LoadInst>(copy)) {
    auto* load = llvm::cast<llvm::LoadInst>(copy);
    if (load->hasMetadata(primitive::kNonVolatileMetadata)) load->setVolatile(false);
    load->setMetadata(primitive::kNonVolatileMetadata, nullptr);
  }
  copy->setDebugLoc(llvm::DebugLoc());
  builder_.Insert(copy, instruction.getName());
  return copy;
}

Value* Widener::value_in_lane(Value* value, unsigned lane, unsigned depth) {
  const Shape shape = this->shape(value);
  if (llvm::isa<llvm::Constant>(value) || (shape.is_affine() && !shape.checked)) return scalar_at(value, lane);
  if (shape.checked) return exact_at(value, lane);
  auto* instruction = llvm::cast<llvm::Instruction>(value);
  constexpr unsigned kDeepest = 3;
  if (depth < kDeepest && !value->getType()->isVectorTy()) {
    switch (instruction->getOpcode()) {
      case llvm::Instruction::GetElementPtr: {
        auto* gep = llvm::cast<llvm::GetElementPtrInst>(instruction);
        if (!is_uniform(gep->getPointerOperand()) && !llvm::isa<llvm::Instruction>(gep->getPointerOperand())) break;
        llvm::SmallVector<Value*, 4> indices;
        for (Value* index : gep->indices()) indices.push_back(value_in_lane(index, lane, depth + 1));
        return builder_.CreateGEP(gep->getSourceElementType(),
                                  value_in_lane(gep->getPointerOperand(), lane, depth + 1), indices);
      }
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
        return builder_.CreateCast(static_cast<llvm::Instruction::CastOps>(instruction->getOpcode()),
                                   value_in_lane(instruction->getOperand(0), lane, depth + 1), instruction->getType());
      default: break;
    }
  }
  const Parts parts = vector(value);
  if (auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType())) {
    Value* result = llvm::PoisonValue::get(lowered(type));
    for (unsigned i = 0; i < parts.size(); ++i)
      result = builder_.CreateInsertElement(result, builder_.CreateExtractElement(parts[i], lane), i);
    return result;
  }
  return builder_.CreateExtractElement(parts.front(), lane);
}

Value* Widener::spread(llvm::ArrayRef<Value*> bases, llvm::Type* type) {
  if (bases.size() == 1) return builder_.CreateVectorSplat(lanes_, bases.front());
  constexpr unsigned kManySegments = 8;
  const auto segment = static_cast<unsigned>(lanes_ / bases.size());
  if (type->isIntegerTy(1) && segment <= 64 && bases.size() >= kManySegments && request_.traits.native_scatter) {
    // With masks in registers, the bits that a segment shares are a number. LLVM would put many of them together one by one.
    auto* bits = builder_.getIntNTy(segment);
    Value* numbers = llvm::PoisonValue::get(llvm::FixedVectorType::get(bits, static_cast<unsigned>(bases.size())));
    for (unsigned i = 0; i < bases.size(); ++i)
      numbers = builder_.CreateInsertElement(numbers, builder_.CreateSExt(bases[i], bits), i);
    return builder_.CreateBitCast(numbers, wide(type));
  }
  auto* few = llvm::FixedVectorType::get(type, static_cast<unsigned>(bases.size()));
  Value* packed = llvm::PoisonValue::get(few);
  for (unsigned i = 0; i < bases.size(); ++i) packed = builder_.CreateInsertElement(packed, bases[i], i);
  llvm::SmallVector<int, 64> mask;
  for (unsigned lane = 0; lane < lanes_; ++lane) mask.push_back(static_cast<int>(lane / (lanes_ / bases.size())));
  return builder_.CreateShuffleVector(packed, mask);
}

Parts Widener::from_segments(llvm::ArrayRef<Value*> bases, const Shape& shape, llvm::Type* type) {
  Parts parts;
  if (type->isVectorTy() || type->isAggregateType()) {
    const auto types = components(type);
    for (unsigned c = 0; c < types.size(); ++c) {
      llvm::SmallVector<Value*, 4> elements;
      for (Value* base : bases)
        elements.push_back(type->isVectorTy() ? builder_.CreateExtractElement(base, c)
                                              : builder_.CreateExtractValue(base, c));
      parts.push_back(spread(elements, types[c]));
    }
    return parts;
  }
  Value* value = spread(bases, lowered(type));
  if (shape.stride) {
    if (type->isPointerTy())
      value = builder_.CreateGEP(builder_.getInt8Ty(), value,
                                 lane_numbers(builder_.getInt64Ty(), shape.segment, shape.stride));
    else
      value = builder_.CreateAdd(value, lane_numbers(type, shape.segment, shape.stride));
  }
  parts.push_back(value);
  return parts;
}

Parts Widener::vector(Value* value) {
  if (const auto found = vectors_.find(value); found != vectors_.end()) return found->second;
  if (const auto found = packed_.find(value); found != packed_.end())
    return vectors_[value] = unpack(*value, found->second);
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    Parts parts;
    const auto types = components(constant->getType());
    const bool whole = !constant->getType()->isVectorTy() && !constant->getType()->isAggregateType();
    for (unsigned i = 0; i < types.size(); ++i) {
      auto* element = whole ? llvm::cast<llvm::Constant>(scalar_at(constant, 0)) : constant->getAggregateElement(i);
      parts.push_back(element ? builder_.CreateVectorSplat(lanes_, element)
                              : static_cast<Value*>(llvm::PoisonValue::get(wide(types[i]))));
    }
    return parts;
  }
  const Shape shape = this->shape(value);
  // Where an extension may wrap, only the operation itself knows what the other lanes hold.
  if (shape.checked && shape.stride != 0) {
    auto& instruction = *llvm::cast<llvm::Instruction>(value);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return widen_call(*call);
    return instruction.getOpcode() == llvm::Instruction::GetElementPtr ? widen_gep(instruction)
                                                                       : elementwise(instruction);
  }
  const auto& bases = bases_[value];
  if (bases.empty()) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) fail(*instruction, "used before it is defined");
    Parts parts;
    for (llvm::Type* type : components(value->getType())) parts.push_back(llvm::PoisonValue::get(wide(type)));
    return parts;
  }
  const llvm::SmallVector<Value*, 2> copy = bases;
  return from_segments(copy, llvm::isa<llvm::Instruction>(value) ? shape : Shape::uniform(lanes_), value->getType());
}

}  // namespace weft::compiler::simt
