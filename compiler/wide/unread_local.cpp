#include "compiler/wide/unread_local.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cstddef>
#include <optional>

#include "device/kernel_abi.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

using Instructions = llvm::SmallVector<Instruction*, 16>;

/// The loads of GroupInfo::local_memory; nothing if `group`, the address of the structure, goes elsewhere than to loads.
std::optional<Instructions> bases_of(Value& group, const llvm::DataLayout& layout) {
  Instructions result;
  llvm::SmallVector<std::pair<Value*, std::int64_t>, 16> places{{&group, 0}};
  while (!places.empty()) {
    const auto [place, offset] = places.pop_back_val();
    for (llvm::User* user : place->users()) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (offset == offsetof(abi::GroupInfo, local_memory)) result.push_back(load);
        continue;
      }
      auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      llvm::APInt more(64, 0);
      if (!gep || !gep->accumulateConstantOffset(layout, more)) return std::nullopt;
      places.emplace_back(gep, offset + more.getSExtValue());
    }
  }
  return result;
}

/// Whether `use` is the address, or the addresses, of a store that the program may not rely on.
bool is_stored_to(const llvm::Use& use) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(use.getUser()))
    return store->isSimple() && use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(use.getUser());
  if (!intrinsic) return false;
  const llvm::Intrinsic::ID id = intrinsic->getIntrinsicID();
  return (id == llvm::Intrinsic::masked_store || id == llvm::Intrinsic::masked_scatter) && use.getOperandNo() == 1;
}

}  // namespace

void drop_unread_stores(llvm::Function& group) {
  std::optional<Instructions> addresses = bases_of(*group.getArg(1), group.getDataLayout());
  if (!addresses) return;
  Instructions stores;
  for (std::size_t i = 0; i < addresses->size(); ++i)
    for (llvm::Use& use : (*addresses)[i]->uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      if (llvm::isa<llvm::GetElementPtrInst>(user))
        addresses->push_back(user);
      else if (is_stored_to(use))
        stores.push_back(user);
      else
        return;
    }
  for (Instruction* store : stores) {
    llvm::SmallVector<llvm::WeakTrackingVH, 4> operands(store->operands());
    store->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(operands);
  }
}

}  // namespace weft::compiler::wide
