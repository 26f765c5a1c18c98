#include "compiler/simt/widen/emitter.h"

#include <llvm/IR/Module.h>

namespace weft::compiler::simt {

using llvm::Value;

Emitter::Emitter(llvm::Function& function, unsigned lanes, const VectorTraits& traits)
    : function(function),
      context(function.getContext()),
      layout(function.getParent()->getDataLayout()),
      lanes(lanes),
      traits(traits),
      builder(function.getContext()) {}

llvm::Type* Emitter::lowered(llvm::Type* type) const {
  if (type->isPointerTy()) return llvm::PointerType::get(context, 0);
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type); vector && vector->getElementType()->isPointerTy())
    return llvm::FixedVectorType::get(lowered(vector->getElementType()), vector->getNumElements());
  return type;
}

llvm::FixedVectorType* Emitter::wide(llvm::Type* scalar) const {
  return llvm::FixedVectorType::get(lowered(scalar), lanes);
}

llvm::SmallVector<llvm::Type*, 4> Emitter::components(llvm::Type* type) const {
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

llvm::FixedVectorType* Emitter::packed_type(llvm::Type* type) const {
  auto* vector = llvm::cast<llvm::FixedVectorType>(type);
  return llvm::FixedVectorType::get(lowered(vector->getElementType()), vector->getNumElements() * lanes);
}

llvm::Constant* Emitter::lane_numbers(llvm::Type* integer, unsigned segment, std::int64_t stride) const {
  llvm::SmallVector<llvm::Constant*, 64> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane)
    numbers.push_back(llvm::ConstantInt::get(integer, static_cast<std::uint64_t>(stride * (lane % segment)), true));
  return llvm::ConstantVector::get(numbers);
}

llvm::AllocaInst* Emitter::new_variable(llvm::Type* type, llvm::Align align, const llvm::Twine& name) {
  const llvm::IRBuilder<>::InsertPointGuard guard(builder);
  builder.SetInsertPoint(entry_point);
  llvm::AllocaInst* variable = builder.CreateAlloca(type, nullptr, name);
  variable->setAlignment(align);
  return variable;
}

Value* Emitter::reduce(Value* mask, bool any) {
  const unsigned count = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  Value* bits = builder.CreateBitCast(mask, builder.getIntNTy(count));
  return any ? builder.CreateIsNotNull(bits) : builder.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()));
}

}  // namespace weft::compiler::simt
