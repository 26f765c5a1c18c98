#include "compiler/spirv/aggregates.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

/// A part of an aggregate that is none itself.
struct Part {
  llvm::SmallVector<unsigned, 4> path;
  llvm::Type* type;
  std::uint64_t offset;  ///< bytes
};

void collect(llvm::Type* type, std::uint64_t offset, const llvm::DataLayout& layout, llvm::SmallVectorImpl<unsigned>& path,
             llvm::SmallVectorImpl<Part>& parts) {
  const auto below = [&](unsigned i, llvm::Type* element, std::uint64_t at) {
    path.push_back(i);
    collect(element, offset + at, layout, path, parts);
    path.pop_back();
  };
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) below(i, structure->getElementType(i), places->getElementOffset(i));
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t size = layout.getTypeAllocSize(array->getElementType());
    for (unsigned i = 0; i < array->getNumElements(); ++i) below(i, array->getElementType(), i * size);
  } else {
    parts.push_back({{path.begin(), path.end()}, type, offset});
  }
}

llvm::SmallVector<Part, 8> parts_of(llvm::Type* type, const llvm::DataLayout& layout) {
  llvm::SmallVector<Part, 8> parts;
  llvm::SmallVector<unsigned, 4> path;
  collect(type, 0, layout, path, parts);
  return parts;
}

/// The aggregate that has `make(part)` for each of its parts.
Value* assemble(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::ArrayRef<Part> parts, llvm::function_ref<Value*(const Part&)> make) {
  Value* whole = llvm::PoisonValue::get(type);
  for (const Part& part : parts) whole = builder.CreateInsertValue(whole, make(part), part.path);
  return whole;
}

void split(llvm::LoadInst& load, const llvm::DataLayout& layout) {
  llvm::IRBuilder<> builder(&load);
  Value* whole = assemble(builder, load.getType(), parts_of(load.getType(), layout), [&](const Part& part) {
    Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), part.offset);
    return builder.CreateAlignedLoad(part.type, address, llvm::commonAlignment(load.getAlign(), part.offset), load.isVolatile());
  });
  load.replaceAllUsesWith(whole);
  load.eraseFromParent();
}

void split(llvm::StoreInst& store, const llvm::DataLayout& layout) {
  llvm::IRBuilder<> builder(&store);
  Value* whole = store.getValueOperand();
  for (const Part& part : parts_of(whole->getType(), layout)) {
    Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), store.getPointerOperand(), part.offset);
    builder.CreateAlignedStore(builder.CreateExtractValue(whole, part.path), address, llvm::commonAlignment(store.getAlign(), part.offset),
                               store.isVolatile());
  }
  store.eraseFromParent();
}

void split(llvm::SelectInst& select, const llvm::DataLayout& layout) {
  llvm::IRBuilder<> builder(&select);
  Value* whole = assemble(builder, select.getType(), parts_of(select.getType(), layout), [&](const Part& part) {
    return builder.CreateSelect(select.getCondition(), builder.CreateExtractValue(select.getTrueValue(), part.path),
                                builder.CreateExtractValue(select.getFalseValue(), part.path));
  });
  select.replaceAllUsesWith(whole);
  select.eraseFromParent();
}

}  // namespace

void split_aggregates(llvm::Function& function) {
  const auto is_aggregate = [](const Value& value) { return value.getType()->isAggregateType(); };
  // In memory phis are loads and stores.
  llvm::SmallVector<llvm::PHINode*, 4> phis;
  for (llvm::BasicBlock& block : function)
    for (llvm::PHINode& phi : block.phis())
      if (is_aggregate(phi)) phis.push_back(&phi);
  for (llvm::PHINode* phi : phis) llvm::DemotePHIToStack(phi);
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && is_aggregate(*load)) split(*load, layout);
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && is_aggregate(*store->getValueOperand())) split(*store, layout);
    else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction); select && is_aggregate(*select)) split(*select, layout);
  }
}

}  // namespace weft::compiler::spirv
