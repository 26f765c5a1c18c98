#include "compiler/simt/barriers/combined_updates.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// The arguments of a region that lead to memory that its group alone has.
constexpr unsigned kFrame = 2, kLocal = 5;

/// Bytes of memory, from a known place on.
struct Range {
  const Value* base;
  std::int64_t first, end;
  bool overlaps(const Range& other) const { return base == other.base && first < other.end && other.first < end; }
};

Range range_of(const Instruction& access) {
  const llvm::DataLayout& layout = access.getDataLayout();
  llvm::APInt offset(64, 0);
  const Value* base = llvm::getLoadStorePointerOperand(&access)->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const auto bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(const_cast<Instruction*>(&access))).getFixedValue();
  return {base, offset.getSExtValue(), offset.getSExtValue() + static_cast<std::int64_t>(bytes)};
}

/// Whether `pointer` leads into a variable of the region's own, anywhere.
bool is_variable(const Value& pointer) {
  const Value* base = &pointer;
  while (const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(base)) base = step->getPointerOperand();
  return llvm::isa<llvm::AllocaInst>(base);
}

bool is_own(const Value* base, const llvm::Function& region) { return base == region.getArg(kFrame) || base == region.getArg(kLocal); }

/// The update, if all else that `region` does may be done once or twice. Without loops, nothing that it adds follows from what it finds.
llvm::AtomicRMWInst* find_update(llvm::Function& region) {
  if (region.arg_size() <= kLocal) return nullptr;
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 4> back;
  llvm::FindFunctionBackedges(region, back);
  if (!back.empty()) return nullptr;
  llvm::AtomicRMWInst* found = nullptr;
  llvm::SmallVector<Range, 16> read, written;
  for (Instruction& instruction : llvm::instructions(region)) {
    if (!instruction.mayReadOrWriteMemory()) continue;
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      if (found || update->getOperation() != llvm::AtomicRMWInst::Add || update->isVolatile()) return nullptr;
      found = update;
      continue;
    }
    if (const auto* note = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); note && note->isAssumeLikeIntrinsic()) continue;
    const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || instruction.isAtomic() || instruction.isVolatile()) return nullptr;
    if (is_variable(*pointer)) continue;
    const bool is_load = llvm::isa<llvm::LoadInst>(instruction);
    if (is_load && instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load)) continue;
    const Range range = range_of(instruction);
    if (!is_own(range.base, region)) return nullptr;
    (is_load ? read : written).push_back(range);
  }
  const bool reads_written = llvm::any_of(read, [&](const Range& one) {
    return llvm::any_of(written, [&](const Range& other) { return one.overlaps(other); });
  });
  return reads_written ? nullptr : found;
}

/// `region` with `more` pointers as arguments; `map` says what became of what.
llvm::Function* copy_with(llvm::Function& region, unsigned more, llvm::ValueToValueMapTy& map) {
  llvm::SmallVector<llvm::Type*, 8> types(region.getFunctionType()->params());
  types.append(more, llvm::PointerType::get(region.getContext(), 0));
  auto* type = llvm::FunctionType::get(region.getReturnType(), types, false);
  auto* made = llvm::Function::Create(type, region.getLinkage(), region.getAddressSpace(), region.getName() + (more == 1 ? ".take" : ".count"), region.getParent());
  for (auto [old, fresh] : llvm::zip_first(region.args(), made->args())) {
    fresh.setName(old.getName());
    map[&old] = &fresh;
  }
  llvm::SmallVector<llvm::ReturnInst*, 4> returns;
  llvm::CloneFunctionInto(made, &region, map, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
  return made;
}

void add_up(llvm::IRBuilder<>& builder, Value* sum, Value* own, llvm::Instruction& update) {
  Value* old = builder.CreateAlignedLoad(own->getType(), sum, llvm::Align(8));
  builder.CreateAlignedStore(builder.CreateAdd(old, own), sum, llvm::Align(8));
  update.replaceAllUsesWith(old);
}

}  // namespace

std::optional<CombinedUpdate> combine_updates(llvm::Function& region) {
  llvm::AtomicRMWInst* update = find_update(region);
  if (!update) return std::nullopt;
  CombinedUpdate combined{.update = update};
  const unsigned arguments = region.arg_size();
  {
    llvm::ValueToValueMapTy map;
    combined.count = copy_with(region, 2, map);
    auto* copy = llvm::cast<llvm::AtomicRMWInst>(static_cast<Value*>(map[update]));
    llvm::IRBuilder<> builder(copy);
    builder.CreateAlignedStore(builder.getInt8(1), combined.count->getArg(arguments + 1), llvm::Align(1));
    add_up(builder, combined.count->getArg(arguments), copy->getValOperand(), *copy);
    copy->eraseFromParent();
    for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*combined.count)))
      if (llvm::isa<llvm::StoreInst>(instruction) && is_own(range_of(instruction).base, *combined.count)) instruction.eraseFromParent();
  }
  llvm::ValueToValueMapTy map;
  combined.take = copy_with(region, 1, map);
  auto* copy = llvm::cast<llvm::AtomicRMWInst>(static_cast<Value*>(map[update]));
  llvm::IRBuilder<> builder(copy);
  add_up(builder, combined.take->getArg(arguments), copy->getValOperand(), *copy);
  copy->eraseFromParent();
  return combined;
}

Value* update_together(const CombinedUpdate& combined, Value* total, llvm::IRBuilderBase& builder) {
  const llvm::Function& region = *combined.update->getFunction();
  llvm::Function& group = *builder.GetInsertBlock()->getParent();
  // Its address is made of loads of what the launch says, and of constants.
  llvm::DenseMap<const Value*, Value*> made = {{region.getArg(0), group.getArg(0)}};
  const auto copy = [&](auto& self, Value* value) -> Value* {
    const auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (const auto known = made.find(value); known != made.end() || !instruction) return known != made.end() ? known->second : value;
    Instruction* clone = instruction->clone();
    for (llvm::Use& operand : clone->operands()) operand.set(self(self, operand.get()));
    for (const unsigned kind : {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias}) clone->setMetadata(kind, nullptr);
    return made[value] = builder.Insert(clone);
  };
  Value* pointer = copy(copy, combined.update->getPointerOperand());
  return builder.CreateAtomicRMW(llvm::AtomicRMWInst::Add, pointer, total, combined.update->getAlign(), combined.update->getOrdering(),
                                 combined.update->getSyncScopeID());
}

}  // namespace weft::compiler::simt
