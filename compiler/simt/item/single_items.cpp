#include "compiler/simt/item/single_items.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <optional>

#include "compiler/simt/analysis/divergent_blocks.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/placed_variables.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/sub_groups.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

bool is_local(const Value& value) {
  return value.getType()->isPointerTy() && value.getType()->getPointerAddressSpace() == kLocalSpace;
}

/// Local ids are 0, local sizes 1, barriers nothing.
void know_the_size(llvm::Function& kernel) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    const llvm::StringRef name = called_name(instruction);
    if (name.starts_with(primitive::kLocalId))
      instruction.replaceAllUsesWith(llvm::ConstantInt::get(instruction.getType(), 0));
    else if (name.starts_with("__weft_local_size_"))
      instruction.replaceAllUsesWith(llvm::ConstantInt::get(instruction.getType(), 1));
    else if (name != primitive::kBarrier)
      continue;
    instruction.eraseFromParent();
  }
}

/// The instructions whose results are addresses in a local variable, and those that access it.
struct ItemReach {
  llvm::SmallSetVector<Instruction*, 16> addresses;
  llvm::SmallSetVector<Instruction*, 16> accesses;
};

/// Follows `variable`'s address through `kernel`; nothing if it goes where it cannot be followed. No constant expression names it.
std::optional<ItemReach> reach_of(llvm::GlobalVariable& variable, llvm::Function& kernel) {
  ItemReach reach;
  llvm::SmallVector<Value*, 16> pending{&variable};
  while (!pending.empty()) {
    Value* address = pending.pop_back_val();
    for (llvm::Use& use : address->uses()) {
      auto* user = llvm::dyn_cast<Instruction>(use.getUser());
      if (!user) {
        if (llvm::isa<llvm::Constant>(use.getUser()) && use.getUser()->use_empty()) continue;  // left over
        return std::nullopt;
      }
      if (user->getFunction() != &kernel) continue;
      if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user)) {
        if (user->getType()->isVectorTy()) return std::nullopt;
        if (reach.addresses.insert(user)) pending.push_back(user);
      } else if (llvm::getPointerOperand(user) == address && llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user)) {
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
        if (store && store->getValueOperand() == address) return std::nullopt;
        reach.accesses.insert(user);
      } else {
        return std::nullopt;
      }
    }
  }
  return reach;
}

/// Whether phis and selects among `addresses` have addresses of that variable alone.
bool is_closed(const ItemReach& reach, const llvm::GlobalVariable& variable) {
  return llvm::all_of(reach.addresses, [&](const Instruction* address) {
    if (llvm::isa<llvm::GetElementPtrInst>(address)) return true;
    return llvm::all_of(address->operands(), [&](const llvm::Use& operand) {
      if (!is_local(*operand)) return true;
      const auto* instruction = llvm::dyn_cast<Instruction>(operand);
      return operand.get() == &variable || llvm::isa<llvm::UndefValue>(operand) || (instruction && reach.addresses.contains(const_cast<Instruction*>(instruction)));
    });
  });
}

/// Whether all groups of a block write the same to the same places, together.
bool is_filled_alike(const ItemReach& reach, llvm::UniformityInfo& uniformity, const DivergentBlocks& divergent) {
  return llvm::all_of(reach.accesses, [&](Instruction* access) {
    if (llvm::isa<llvm::LoadInst>(access)) return true;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(access);
    return store && !divergent.contains(access->getParent()) && !uniformity.isDivergent(store->getPointerOperand()) &&
           !uniformity.isDivergent(store->getValueOperand());
  });
}

void make_instructions_of_constants(llvm::Function& kernel) {
  llvm::SmallVector<llvm::Constant*, 8> variables;
  for (const llvm::GlobalVariable* variable : used_variables(kernel, kLocalSpace))
    variables.push_back(const_cast<llvm::GlobalVariable*>(variable));
  if (!variables.empty()) llvm::convertUsersOfConstantsToInstructions(variables, &kernel, /*RemoveDeadConstants=*/false);
}

/// The variable becomes private memory of the work-item.
void make_private(llvm::GlobalVariable& variable, const ItemReach& reach, llvm::Function& kernel) {
  llvm::IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst* copy = builder.CreateAlloca(variable.getValueType(), nullptr, variable.getName());
  copy->setAlignment(variable.getAlign().value_or(kernel.getDataLayout().getPreferredAlign(&variable)));
  for (Instruction* user : llvm::concat<Instruction* const>(reach.addresses, reach.accesses))
    for (llvm::Use& operand : user->operands())
      if (operand.get() == &variable) operand.set(copy);
  for (Instruction* address : reach.addresses) {
    for (llvm::Use& operand : address->operands())
      if (llvm::isa<llvm::UndefValue>(operand) && is_local(*operand)) operand.set(llvm::UndefValue::get(copy->getType()));
    address->mutateType(copy->getType());
  }
  for (Instruction* access : reach.accesses) {
    if (access->hasMetadata(primitive::kNonVolatileMetadata)) {
      access->setMetadata(primitive::kNonVolatileMetadata, nullptr);
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(access)) load->setVolatile(false);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(access)) store->setVolatile(false);
    }
    // Nobody else sees it.
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(access)) llvm::lowerAtomicRMWInst(update);
    else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(access)) llvm::lowerAtomicCmpXchgInst(exchange);
    else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(access)) load->setAtomic(llvm::AtomicOrdering::NotAtomic);
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(access)) store->setAtomic(llvm::AtomicOrdering::NotAtomic);
  }
}

struct OwnVariable {
  llvm::GlobalVariable* variable;
  ItemReach reach;
};

/// The variables of `kernel` of which each group needs its own. Nothing: one of them cannot be private.
std::optional<llvm::SmallVector<OwnVariable, 4>> own_variables(llvm::Function& kernel) {
  llvm::SmallVector<OwnVariable, 4> result;
  const auto variables = used_variables(kernel, kLocalSpace);
  if (variables.empty()) return result;
  Analyses analyses;
  llvm::UniformityInfo& uniformity = analyses.uniformity(kernel);
  const DivergentBlocks divergent = divergent_blocks(kernel, uniformity);
  for (llvm::GlobalVariable& variable : kernel.getParent()->globals()) {
    if (!variables.contains(&variable)) continue;
    std::optional<ItemReach> reach = reach_of(variable, kernel);
    if (!reach) return std::nullopt;
    if (is_filled_alike(*reach, uniformity, divergent)) continue;
    if (!is_closed(*reach, variable)) return std::nullopt;
    result.push_back({&variable, std::move(*reach)});
  }
  return result;
}

/// Whether lanes access `variable` at places of their own.
bool is_gathered(const llvm::AllocaInst& variable, const llvm::UniformityInfo& uniformity) {
  llvm::SmallSetVector<const Value*, 16> addresses;
  addresses.insert(&variable);
  for (unsigned i = 0; i < addresses.size(); ++i)
    for (const llvm::User* user : addresses[i]->users()) {
      if (const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (llvm::any_of(element->indices(), [&](const llvm::Use& index) { return uniformity.isDivergent(index.get()); })) return true;
        addresses.insert(element);
      } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
        addresses.insert(phi);
      } else if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(user)) {
        if (uniformity.isDivergent(select->getCondition())) return true;
        addresses.insert(select);
      }
    }
  return false;
}

/// Accesses of `variable`.
std::uint32_t num_accesses(const llvm::AllocaInst& variable) {
  llvm::SmallSetVector<const Value*, 16> addresses;
  addresses.insert(&variable);
  std::uint32_t accesses = 0;
  for (unsigned i = 0; i < addresses.size(); ++i)
    for (const llvm::User* user : addresses[i]->users()) {
      if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(user)) ++accesses;
      else if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user)) addresses.insert(user);
    }
  return accesses;
}

Gathered gathered_memory(llvm::Function& kernel) {
  Analyses analyses;
  const llvm::UniformityInfo& uniformity = analyses.uniformity(kernel);
  Gathered result;
  for (const Instruction& instruction : llvm::instructions(kernel))
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (const auto size = variable->getAllocationSize(kernel.getDataLayout()); size && is_gathered(*variable, uniformity)) {
        result.bytes = llvm::SaturatingAdd<std::uint64_t>(result.bytes, size->getFixedValue());
        result.accesses += num_accesses(*variable);
      }
  return result;
}

}  // namespace

std::optional<Gathered> plan_single_items(const llvm::Function& kernel) {
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(const_cast<llvm::Function*>(&kernel), map);
  const auto result = plan_single_items_in_place(*copy);
  copy->eraseFromParent();
  return result;
}

std::optional<Gathered> plan_single_items_in_place(llvm::Function& kernel) {
  if (!fuse_single_items(kernel)) return std::nullopt;
  return gathered_memory(kernel);
}

bool fuse_single_items(llvm::Function& kernel) {
  if (llvm::any_of(kernel.args(), is_local)) return false;
  if (llvm::any_of(llvm::instructions(kernel), [](const Instruction& instruction) { return sub_group_call(instruction).has_value(); }))
    return false;
  know_the_size(kernel);
  make_instructions_of_constants(kernel);
  for (;;) {
    const auto variables = own_variables(kernel);
    if (!variables) return false;
    if (variables->empty()) return true;
    // What is read from a variable that is private now differs, and so may what it is copied to: look again.
    for (const auto& [variable, reach] : *variables) make_private(*variable, reach, kernel);
  }
}

}  // namespace weft::compiler::simt
