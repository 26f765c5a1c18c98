// A value in all lanes.
#include "compiler/simt/widen/values.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/ir/hidden_values.h"
#include "compiler/simt/widen/operations.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

bool WideValues::keeps_packed(const Value& value) const { return w_.request.packed.values.contains(&value); }

Parts WideValues::vector(Value* value) {
  if (const auto found = vectors_.find(value); found != vectors_.end()) return found->second;
  if (const auto found = packed_.find(value); found != packed_.end()) return vectors_[value] = unpack(*value, found->second);
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return from_constant(*constant);
  const Shape shape = w_.shape(value);
  // Where an extension may wrap, the bases say nothing of the other lanes: the operation itself is done in all of them.
  if (shape.checked && shape.stride != 0) return widen_operation(w_, *llvm::cast<llvm::Instruction>(value));
  const auto& bases = bases_[value];
  if (bases.empty()) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) w_.fail(*instruction, "used before it is defined");
    Parts parts;
    for (llvm::Type* type : w_.components(value->getType())) parts.push_back(llvm::PoisonValue::get(w_.wide(type)));
    return parts;
  }
  const llvm::SmallVector<Value*, 2> copy = bases;
  return from_segments(copy, llvm::isa<llvm::Instruction>(value) ? shape : Shape::uniform(w_.lanes), value->getType());
}

Parts WideValues::from_constant(llvm::Constant& constant) {
  Parts parts;
  const auto types = w_.components(constant.getType());
  const bool whole = !constant.getType()->isVectorTy() && !constant.getType()->isAggregateType();
  for (unsigned i = 0; i < types.size(); ++i) {
    auto* element = whole ? llvm::cast<llvm::Constant>(scalar_at(&constant, 0)) : constant.getAggregateElement(i);
    parts.push_back(element ? w_.builder.CreateVectorSplat(w_.lanes, element)
                            : static_cast<Value*>(llvm::PoisonValue::get(w_.wide(types[i]))));
  }
  return parts;
}

/// A vector of which every lane holds its segment's base.
Value* WideValues::spread(llvm::ArrayRef<Value*> bases, llvm::Type* type) {
  if (bases.size() == 1) return w_.builder.CreateVectorSplat(w_.lanes, bases.front());
  constexpr unsigned kManySegments = 8;
  const auto segment = static_cast<unsigned>(w_.lanes / bases.size());
  if (type->isIntegerTy(1) && segment <= 64 && bases.size() >= kManySegments && w_.traits.native_scatter) {
    // With masks in registers, the bits that a segment shares are a number. LLVM would insert many of them bit by bit.
    auto* bits = w_.builder.getIntNTy(segment);
    Value* numbers = llvm::PoisonValue::get(llvm::FixedVectorType::get(bits, static_cast<unsigned>(bases.size())));
    for (unsigned i = 0; i < bases.size(); ++i)
      numbers = w_.builder.CreateInsertElement(numbers, w_.builder.CreateSExt(bases[i], bits), i);
    return w_.builder.CreateBitCast(numbers, w_.wide(type));
  }
  if (type->isIntegerTy(1) && w_.lanes <= 64 && w_.traits.native_scatter) {
    // Of few segments it is one number.
    auto* number = w_.builder.getIntNTy(w_.lanes);
    Value* bits = nullptr;
    for (unsigned i = 0; i < bases.size(); ++i) {
      const llvm::APInt own = llvm::APInt::getBitsSet(w_.lanes, i * segment, (i + 1) * segment);
      Value* part = w_.builder.CreateAnd(w_.builder.CreateSExt(bases[i], number), llvm::ConstantInt::get(number, own));
      bits = bits ? w_.builder.CreateOr(bits, part) : part;
    }
    // Of numbers of which some bits are known, as masks in whole and in parts, LLVM's code generator folds some for ever, one fold undoing the other:
    // (x & 0xff0000) | 1.
    if (!llvm::isa<llvm::Constant>(bits)) bits = hidden(w_.builder, *bits);
    return w_.builder.CreateBitCast(bits, w_.wide(type));
  }
  auto* few = llvm::FixedVectorType::get(type, static_cast<unsigned>(bases.size()));
  Value* packed = llvm::PoisonValue::get(few);
  for (unsigned i = 0; i < bases.size(); ++i) packed = w_.builder.CreateInsertElement(packed, bases[i], i);
  llvm::SmallVector<int, 64> mask;
  for (unsigned lane = 0; lane < w_.lanes; ++lane) mask.push_back(static_cast<int>(lane / (w_.lanes / bases.size())));
  return w_.builder.CreateShuffleVector(packed, mask);
}

Parts WideValues::from_segments(llvm::ArrayRef<Value*> bases, const Shape& shape, llvm::Type* type) {
  Parts parts;
  if (type->isVectorTy() || type->isAggregateType()) {
    const auto types = w_.components(type);
    for (unsigned c = 0; c < types.size(); ++c) {
      llvm::SmallVector<Value*, 4> elements;
      for (Value* base : bases)
        elements.push_back(type->isVectorTy() ? w_.builder.CreateExtractElement(base, c)
                                              : w_.builder.CreateExtractValue(base, c));
      parts.push_back(spread(elements, types[c]));
    }
    return parts;
  }
  Value* value = spread(bases, w_.lowered(type));
  if (shape.stride) {
    if (type->isPointerTy())
      value = w_.builder.CreateGEP(w_.builder.getInt8Ty(), value,
                                   w_.lane_numbers(w_.builder.getInt64Ty(), shape.segment, shape.stride));
    else
      value = w_.builder.CreateAdd(value, w_.lane_numbers(type, shape.segment, shape.stride));
  }
  parts.push_back(value);
  return parts;
}

Value* WideValues::packed(Value* value) {
  if (const auto found = packed_.find(value); found != packed_.end()) return found->second;
  auto* type = w_.packed_type(value->getType());
  if (llvm::isa<llvm::UndefValue>(value)) return llvm::PoisonValue::get(type);
  const unsigned count = llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements();
  llvm::SmallVector<int, 256> mask;
  if (w_.is_uniform(value)) {
    for (unsigned i = 0; i < type->getNumElements(); ++i) mask.push_back(static_cast<int>(i % count));
    return w_.builder.CreateShuffleVector(uniform(value), mask);
  }
  // One number for all components.
  Value* number = llvm::isa<llvm::ShuffleVectorInst>(value) ? llvm::getSplatValue(value) : nullptr;
  const Shape shape = w_.shape(number ? number : value);
  if (shape.is_constant_in_segment() && !shape.checked && llvm::isa<llvm::Instruction>(number ? number : value)) {
    Bases bases(this->bases(number ? *number : *value));
    if (const auto component = repeated_component(*value); component && w_.shape(component->first) == shape) {
      bases = Bases(this->bases(*component->first));
      for (Value*& base : bases) base = w_.builder.CreateExtractElement(base, component->second);
    }
    return repeat(bases, count);
  }
  if (!number) return interleave(w_, vector(value));
  for (unsigned i = 0; i < type->getNumElements(); ++i) mask.push_back(static_cast<int>(i / count));
  return w_.builder.CreateShuffleVector(vector1(number), mask);
}

std::optional<std::pair<Value*, unsigned>> WideValues::repeated_component(const Value& value) {
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value);
  if (!shuffle || !llvm::isa<llvm::Instruction>(shuffle->getOperand(0)) || !llvm::all_equal(shuffle->getShuffleMask())) return std::nullopt;
  const int index = shuffle->getMaskValue(0);
  const auto count = llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
  if (index < 0 || static_cast<unsigned>(index) >= count || llvm::isa<llvm::InsertElementInst>(shuffle->getOperand(0))) return std::nullopt;
  return std::pair(shuffle->getOperand(0), static_cast<unsigned>(index));
}

/// The packed form of vectors of `count` components of which every lane has its segment's base, a vector or a number that is each component.
Value* WideValues::repeat(llvm::ArrayRef<Value*> bases, unsigned count) {
  const bool are_vectors = bases.front()->getType()->isVectorTy();
  Value* few = nullptr;
  if (are_vectors) {
    few = llvm::concatenateVectors(w_.builder, bases);
  } else {
    few = llvm::PoisonValue::get(llvm::FixedVectorType::get(bases.front()->getType(), static_cast<unsigned>(bases.size())));
    for (unsigned i = 0; i < bases.size(); ++i) few = w_.builder.CreateInsertElement(few, bases[i], i);
  }
  const auto segment = static_cast<unsigned>(w_.lanes / bases.size());
  llvm::SmallVector<int, 256> mask;
  for (unsigned lane = 0; lane < w_.lanes; ++lane)
    for (unsigned i = 0; i < count; ++i) mask.push_back(static_cast<int>(are_vectors ? lane / segment * count + i : lane / segment));
  return w_.builder.CreateShuffleVector(few, mask);
}

Value* WideValues::as_in_memory(Value* value) {
  return value->getType()->isVectorTy() ? packed(value) : vector1(value);
}

/// Splits `value`, the packed form of `instruction`, where it is defined, so that all uses share the parts.
Parts WideValues::unpack(const Value& instruction, Value* value) {
  const llvm::IRBuilder<>::InsertPointGuard guard(w_.builder);
  if (auto* defined = llvm::dyn_cast<llvm::Instruction>(value))
    if (auto point = defined->getInsertionPointAfterDef()) w_.builder.SetInsertPoint(*point);
  return deinterleave(w_, value, llvm::cast<llvm::FixedVectorType>(instruction.getType())->getNumElements());
}

}  // namespace weft::compiler::simt
