#include "compiler/simt/item/few_elements.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <cstdint>
#include <optional>

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// A choice for each element costs more than memory beyond these.
constexpr std::uint64_t kMostValues = 4;
constexpr unsigned kMostUnknownPlaces = 8;

/// An access to element `number`, plus `index` if that is not null.
struct ElementAccess {
  Instruction* instruction;
  std::uint64_t number;
  Value* index;
};

struct FewElements {
  llvm::AllocaInst* variable;
  llvm::Type* element = nullptr;
  std::uint64_t elements = 0;
  llvm::SmallVector<ElementAccess, 16> accesses;
  llvm::SmallVector<Instruction*, 8> others;  ///< addresses and marks of lifetimes
  llvm::SmallVector<std::pair<llvm::StoreInst*, std::int64_t>, 2> zeros;  ///< of several elements, from these bytes on
};

/// Where a pointer into an array leads, in bytes.
struct PlaceInArray {
  Value* pointer;
  std::int64_t offset;
  Value* index;  ///< null: none
  std::uint64_t scale;
};

bool accesses_element(const Instruction& user, const Value& pointer) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&user)) return load->isSimple();
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&user);
  return store && store->isSimple() && store->getPointerOperand() == &pointer && store->getValueOperand() != &pointer;
}

/// Of eight bytes or more, which may be several elements.
bool is_wide_zero(const llvm::StoreInst& store) {
  const auto* value = llvm::dyn_cast<llvm::Constant>(store.getValueOperand());
  return value && value->isNullValue() && value->getType()->getPrimitiveSizeInBits().getFixedValue() >= 64;
}

std::optional<FewElements> as_few_elements(llvm::AllocaInst& variable) {
  const llvm::DataLayout& layout = variable.getDataLayout();
  const auto size = variable.getAllocationSize(layout);
  if (!size || size->isScalable() || variable.isArrayAllocation()) return std::nullopt;
  FewElements array{.variable = &variable, .element = nullptr, .elements = 0, .accesses = {}, .others = {}, .zeros = {}};
  unsigned unknown = 0;
  std::uint64_t bytes = 0;
  llvm::SmallVector<PlaceInArray, 8> pending = {{&variable, 0, nullptr, 0}};
  while (!pending.empty()) {
    const PlaceInArray place = pending.pop_back_val();
    for (llvm::User* one : place.pointer->users()) {
      auto* user = llvm::cast<Instruction>(one);
      if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt constant(layout.getIndexTypeSizeInBits(step->getType()), 0);
        llvm::MapVector<Value*, llvm::APInt> variables;
        if (step->getType()->isVectorTy()) return std::nullopt;
        if (!llvm::cast<llvm::GEPOperator>(step)->collectOffset(layout, constant.getBitWidth(), variables, constant)) return std::nullopt;
        if (variables.size() + (place.index != nullptr) > 1) return std::nullopt;
        PlaceInArray next{step, place.offset + constant.getSExtValue(), place.index, place.scale};
        if (!variables.empty()) {
          next.index = variables.front().first;
          next.scale = variables.front().second.getZExtValue();
        }
        pending.push_back(next);
        array.others.push_back(user);
        continue;
      }
      if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user); call && call->isLifetimeStartOrEnd()) {
        array.others.push_back(user);
        continue;
      }
      if (!accesses_element(*user, *place.pointer)) return std::nullopt;
      llvm::Type* type = llvm::getLoadStoreType(user);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && !place.index && type != array.element && is_wide_zero(*store)) {
        array.zeros.emplace_back(store, place.offset);
        continue;
      }
      if (!array.element) {
        if (!type->isIntegerTy() && !type->isFloatTy() && !type->isDoubleTy()) return std::nullopt;
        array.element = type;
        bytes = layout.getTypeStoreSize(type).getFixedValue();
        array.elements = size->getFixedValue() / bytes;
        if (array.elements > kMostValues || array.elements < 2 || size->getFixedValue() % bytes != 0) return std::nullopt;
      }
      const auto offset = static_cast<std::uint64_t>(place.offset);
      if (type != array.element || place.offset < 0 || offset % bytes != 0 || offset / bytes >= array.elements) return std::nullopt;
      if (place.index && (place.scale != bytes || ++unknown > kMostUnknownPlaces)) return std::nullopt;
      array.accesses.push_back({user, offset / bytes, place.index});
    }
  }
  for (const auto& [store, offset] : array.zeros) {
    const std::uint64_t zeros = layout.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue(), first = static_cast<std::uint64_t>(offset);
    if (!bytes || offset < 0 || zeros % bytes != 0 || first % bytes != 0 || first + zeros > size->getFixedValue()) return std::nullopt;
  }
  return unknown ? std::optional(std::move(array)) : std::nullopt;
}

void part_elements(const FewElements& array) {
  llvm::IRBuilder<> entry(array.variable);
  llvm::SmallVector<llvm::AllocaInst*, kMostValues> elements;
  for (std::uint64_t i = 0; i < array.elements; ++i) elements.push_back(entry.CreateAlloca(array.element, nullptr, array.variable->getName()));
  for (const ElementAccess& access : array.accesses) {
    llvm::IRBuilder<> builder(access.instruction);
    auto* store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
    if (!access.index) {
      access.instruction->setOperand(store ? 1 : 0, elements[access.number]);
      const llvm::Align align = elements[access.number]->getAlign();
      store ? store->setAlignment(align) : llvm::cast<llvm::LoadInst>(access.instruction)->setAlignment(align);
      continue;
    }
    const auto is_this = [&](std::uint64_t element) {
      const auto number = static_cast<std::int64_t>(element) - static_cast<std::int64_t>(access.number);
      return builder.CreateICmpEQ(access.index, llvm::ConstantInt::getSigned(access.index->getType(), number));
    };
    if (store) {
      for (std::uint64_t i = 0; i < array.elements; ++i) {
        Value* before = builder.CreateLoad(array.element, elements[i]);
        builder.CreateStore(builder.CreateSelect(is_this(i), store->getValueOperand(), before), elements[i]);
      }
    } else {
      Value* found = builder.CreateLoad(array.element, elements[0]);
      for (std::uint64_t i = 1; i < array.elements; ++i)
        found = builder.CreateSelect(is_this(i), builder.CreateLoad(array.element, elements[i]), found);
      access.instruction->replaceAllUsesWith(found);
    }
    access.instruction->eraseFromParent();
  }
  const llvm::DataLayout& layout = array.variable->getDataLayout();
  const std::uint64_t bytes = layout.getTypeStoreSize(array.element).getFixedValue();
  for (const auto& [store, offset] : array.zeros) {
    llvm::IRBuilder<> builder(store);
    const std::uint64_t zeros = layout.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue() / bytes;
    const std::uint64_t first = static_cast<std::uint64_t>(offset) / bytes;
    for (std::uint64_t i = 0; i < zeros; ++i) builder.CreateStore(llvm::Constant::getNullValue(array.element), elements[first + i]);
    store->eraseFromParent();
  }
  for (Instruction* other : llvm::reverse(array.others)) other->eraseFromParent();
  array.variable->eraseFromParent();
}

}  // namespace

bool keep_few_elements(llvm::Function& item) {
  llvm::SmallVector<FewElements, 4> arrays;
  for (Instruction& instruction : llvm::instructions(item))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (auto array = as_few_elements(*variable)) arrays.push_back(std::move(*array));
  for (const FewElements& array : arrays) part_elements(array);
  return !arrays.empty();
}

}  // namespace weft::compiler::simt
