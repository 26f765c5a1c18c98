#include "compiler/simt/memory/same_stores.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/least_updates.h"
#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {
namespace {

using llvm::LoadInst;
using llvm::StoreInst;
using llvm::Value;

/// Each is compared with each.
constexpr std::size_t kMostSameStores = 16, kMostLoads = 64;
/// Values that are made of a load.
constexpr std::size_t kMostMade = 8;
/// Values that are made of what an update returns.
constexpr std::size_t kMostPlaces = 32;

/// Its bytes, if they are all the same, or null.
const Value* byte_of(const StoreInst& store) { return llvm::isBytewiseValue(const_cast<Value*>(store.getValueOperand()), store.getDataLayout()); }

/// Wherever the two meet, they write the same.
bool write_the_same(const StoreInst& store, const StoreInst& other) {
  if (const Value* byte = byte_of(store); byte && byte == byte_of(other)) return true;
  const auto is_whole = [](const StoreInst& access) {
    return access.getAlign().value() >= access.getDataLayout().getTypeStoreSize(access.getValueOperand()->getType()).getFixedValue();
  };
  return store.getValueOperand() == other.getValueOperand() && is_whole(store) && is_whole(other);
}

/// What a branch alone guards: a block with one way in, out of which leads one way, where both come together.
const llvm::BasicBlock* guarded_block(const llvm::BranchInst& branch, const llvm::Loop& loop) {
  if (!branch.isConditional()) return nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    const llvm::BasicBlock *block = branch.getSuccessor(i), *join = branch.getSuccessor(1 - i);
    if (block->getSinglePredecessor() != branch.getParent() || block->getSingleSuccessor() != join || !loop.contains(join)) continue;
    const bool same = llvm::all_of(join->phis(), [&](const llvm::PHINode& phi) {
      return phi.getIncomingValueForBlock(block) == phi.getIncomingValueForBlock(branch.getParent());
    });
    if (same) return block;
  }
  return nullptr;
}

/// The branch that all of what is made of `load` decides, and nothing else; null if there is none.
const llvm::BranchInst* decided_branch(const LoadInst& load) {
  const llvm::BranchInst* branch = nullptr;
  llvm::SmallVector<const llvm::Instruction*, 8> made = {&load};
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (made.size() > kMostMade) return nullptr;
    for (const llvm::User* user : made[i]->users()) {
      const auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (instruction->getParent() != load.getParent()) return nullptr;
      if (const auto* end = llvm::dyn_cast<llvm::BranchInst>(instruction)) {
        branch = end;
      } else if (llvm::isa<llvm::CmpInst, llvm::BinaryOperator, llvm::CastInst>(instruction)) {
        if (!llvm::is_contained(made, instruction)) made.push_back(instruction);
      } else {
        return nullptr;
      }
    }
  }
  return branch;
}

/// Whether `load` meets the loop's stores only to find out whether its lane still has to store what others may have stored there since: all that it decides
/// is a block with that store, and others of what the block stores wherever it runs. Whoever comes later may find it done.
bool only_looks(const LoadInst& load, llvm::ArrayRef<const StoreInst*> stores, const llvm::Loop& loop, llvm::UniformityInfo& uniformity) {
  const llvm::BranchInst* branch = decided_branch(load);
  const llvm::BasicBlock* block = branch ? guarded_block(*branch, loop) : nullptr;
  if (!block) return false;
  const auto stores_there = [&](const StoreInst& store) {
    return store.getParent() == block && store.getPointerOperand() == load.getPointerOperand() && store.getValueOperand()->getType() == load.getType();
  };
  for (const llvm::Instruction& instruction : *block) {
    const auto* store = llvm::dyn_cast<StoreInst>(&instruction);
    if (!store && instruction.mayHaveSideEffects()) return false;
    if (!store || stores_there(*store)) continue;
    const Value* pointer = store->getPointerOperand();
    if (!loop.isLoopInvariant(pointer) || uniformity.isDivergent(pointer)) return false;
  }
  return llvm::all_of(stores, [&](const StoreInst* store) { return stores_there(*store) || !may_meet(*store, load); });
}

bool stores_for_others(const llvm::Instruction& instruction) {
  const auto* store = llvm::dyn_cast<StoreInst>(&instruction);
  return store && store->getPointerAddressSpace() != kPrivateSpace;
}

/// Whether what `update` returns, and all that the loop makes of it, are values and addresses of stores to memory that others see, or decide whether such
/// a store runs. Adds the stores whose address is made of it.
bool places_stores(const llvm::AtomicRMWInst& update, const llvm::Loop& loop, llvm::SmallPtrSetImpl<const StoreInst*>& placed) {
  llvm::SmallVector<const Value*, 16> made = {&update};
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (made.size() > kMostPlaces) return false;
    for (const llvm::User* user : made[i]->users()) {
      const auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (!loop.contains(instruction)) continue;
      if (const auto* store = llvm::dyn_cast<StoreInst>(instruction)) {
        if (!stores_for_others(*store)) return false;
        if (store->getPointerOperand() == made[i]) placed.insert(store);
      } else if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(instruction)) {
        const llvm::BasicBlock* block = guarded_block(*branch, loop);
        if (!block || llvm::any_of(*block, [](const llvm::Instruction& guarded) { return guarded.mayReadOrWriteMemory() && !stores_for_others(guarded); }))
          return false;
      } else if (llvm::isa<llvm::CmpInst, llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::SelectInst, llvm::FreezeInst,
                           llvm::InsertElementInst, llvm::ShuffleVectorInst, llvm::MinMaxIntrinsic>(instruction)) {
        if (!llvm::is_contained(made, instruction)) made.push_back(instruction);
      } else {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

bool stores_one_value(const llvm::Loop& loop, llvm::Function& region, Analyses& analyses) {
  llvm::UniformityInfo& uniformity = analyses.uniformity(region);
  llvm::SmallVector<const StoreInst*, 8> stores;
  llvm::SmallVector<const LoadInst*, 16> loads;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      // What a scope says that is declared here, it says of one iteration.
      if (llvm::isa<llvm::NoAliasScopeDeclInst>(instruction)) return false;
      if (const auto* load = llvm::dyn_cast<LoadInst>(&instruction)) {
        if (load->getPointerAddressSpace() != kPrivateSpace && load->getPointerAddressSpace() != kConstantSpace) loads.push_back(load);
        continue;
      }
      const auto* store = llvm::dyn_cast<StoreInst>(&instruction);
      if (!store || store->getPointerAddressSpace() == kPrivateSpace) continue;
      const Value* value = store->getValueOperand();
      if (store->isAtomic() || asked_volatile(*store) || !loop.isLoopInvariant(value) || uniformity.isDivergent(value)) return false;
      stores.push_back(store);
    }
  if (stores.empty() || stores.size() > kMostSameStores || loads.size() > kMostLoads) return false;

  return llvm::all_of(stores, [&](const StoreInst* store) {
    return llvm::all_of(loads, [&](const LoadInst* load) { return !may_meet(*store, *load) || only_looks(*load, stores, loop, uniformity); }) &&
           llvm::all_of(stores, [&](const StoreInst* other) { return write_the_same(*store, *other) || !may_meet(*store, *other); });
  });
}

bool keeps_least(const llvm::Loop& loop) {
  using llvm::AtomicRMWInst;
  const AtomicRMWInst* first = nullptr;
  llvm::SmallVector<const llvm::Instruction*, 16> others;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      if (llvm::isa<llvm::NoAliasScopeDeclInst>(instruction)) return false;
      const auto* update = llvm::dyn_cast<AtomicRMWInst>(&instruction);
      if (!update) {
        const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (pointer && pointer->getType()->getPointerAddressSpace() == kPrivateSpace) continue;
        if (llvm::isa<StoreInst>(instruction)) return false;
        if (pointer) others.push_back(&instruction);
        continue;
      }
      const AtomicRMWInst::BinOp kind = update->getOperation();
      if (!keeping(kind)) return false;
      if (update->getOrdering() != llvm::AtomicOrdering::Monotonic || asked_volatile(*update) || !update->use_empty() || update->getPointerAddressSpace() != kGlobalSpace)
        return false;
      if (first && (first->getOperation() != kind || first->getType() != update->getType())) return false;
      if (!first) first = update;
    }
  if (!first) return false;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block)
      if (llvm::isa<AtomicRMWInst>(instruction) && llvm::any_of(others, [&](const llvm::Instruction* load) { return may_meet(instruction, *load); })) return false;
  return others.size() <= kMostLoads;
}

bool takes_own_places(const llvm::Loop& loop) {
  using llvm::AtomicRMWInst;
  llvm::SmallVector<const llvm::Instruction*, 16> loads, stores, updates;
  llvm::SmallPtrSet<const StoreInst*, 8> placed;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      if (llvm::isa<llvm::NoAliasScopeDeclInst>(instruction)) return false;
      if (const auto* update = llvm::dyn_cast<AtomicRMWInst>(&instruction)) {
        // Sums that nobody asks for are left to worker-copies.
        const AtomicRMWInst::BinOp kind = update->getOperation();
        if (update->use_empty() || (kind != AtomicRMWInst::Add && kind != AtomicRMWInst::Sub) ||
            update->getOrdering() != llvm::AtomicOrdering::Monotonic || asked_volatile(*update) || !places_stores(*update, loop, placed))
          return false;
        updates.push_back(update);
        continue;
      }
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || pointer->getType()->getPointerAddressSpace() == kPrivateSpace) continue;
      if (!is_plain_access(instruction)) return false;
      (llvm::isa<StoreInst>(instruction) ? stores : loads).push_back(&instruction);
    }
  if (updates.empty() || stores.size() + updates.size() > kMostSameStores || loads.size() > kMostLoads) return false;
  const auto meets_none = [](const llvm::Instruction* access, llvm::ArrayRef<const llvm::Instruction*> others) {
    return llvm::none_of(others, [&](const llvm::Instruction* other) { return may_meet(*access, *other); });
  };
  return llvm::all_of(stores, [&](const llvm::Instruction* store) {
    return placed.contains(llvm::cast<StoreInst>(store)) && meets_none(store, loads) && meets_none(store, updates);
  }) && llvm::all_of(updates, [&](const llvm::Instruction* update) { return meets_none(update, loads); });
}

}  // namespace weft::compiler::simt
