#include "compiler/simt/memory/same_stores.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {
namespace {

using llvm::LoadInst;
using llvm::StoreInst;
using llvm::Value;

/// Each is compared with each.
constexpr std::size_t kMostStores = 16, kMostLoads = 64;

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
  if (stores.empty() || stores.size() > kMostStores || loads.size() > kMostLoads) return false;

  return llvm::all_of(stores, [&](const StoreInst* store) {
    return llvm::none_of(loads, [&](const LoadInst* load) { return may_meet(*store, *load); }) &&
           llvm::all_of(stores, [&](const StoreInst* other) { return write_the_same(*store, *other) || !may_meet(*store, *other); });
  });
}

}  // namespace weft::compiler::simt
