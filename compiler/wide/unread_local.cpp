#include "compiler/wide/unread_local.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cstddef>
#include <cstdint>

#include "compiler/simt/barriers/group_fields.h"
#include "device/kernel_abi.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;

using Instructions = llvm::SmallVector<Instruction*, 16>;

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
  if (!simt::loads_fields_alone(group, [](const llvm::LoadInst&, std::uint64_t) { return true; })) return;
  Instructions addresses, stores;
  for (Instruction& instruction : llvm::instructions(group)) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load && simt::field_offset(*load, *group.getArg(1)) == offsetof(abi::GroupInfo, local_memory)) addresses.push_back(&instruction);
  }
  for (std::size_t i = 0; i < addresses.size(); ++i)
    for (llvm::Use& use : addresses[i]->uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      if (llvm::isa<llvm::GetElementPtrInst>(user))
        addresses.push_back(user);
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
