#include "compiler/simt/barriers/private_memory.h"

#include "compiler/simt/analysis/uniformity.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;

/// What an instruction does to a variable's contents.
struct PrivateAccess {
  bool reads = false;
  bool writes = false;
  bool kills = false;  ///< a lifetime marker: contents do not survive it
};

/// All accesses to one variable; `traceable` is false when its address escapes.
struct Accesses {
  llvm::DenseMap<const llvm::Instruction*, PrivateAccess> at;
  llvm::SmallVector<llvm::IntrinsicInst*, 4> lifetime_markers;
  bool traceable = true;
};

void collect(llvm::Value& pointer, Accesses& accesses) {
  for (llvm::Use& use : pointer.uses()) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    PrivateAccess& access = accesses.at[user];
    if (llvm::isa<llvm::LoadInst>(user)) {
      access.reads = true;
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      access.writes = true;
      if (store->getValueOperand() == &pointer) accesses.traceable = false;
    } else if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::BitCastInst>(user)) {
      collect(*user, accesses);
    } else if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
               intrinsic && intrinsic->isLifetimeStartOrEnd()) {
      access.kills = true;
      accesses.lifetime_markers.push_back(intrinsic);
    } else if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(user)) {
      (transfer->getRawDest() == &pointer ? access.writes : access.reads) = true;
      if (transfer->getRawSource() == &pointer) access.reads = true;
    } else if (llvm::isa<llvm::MemSetInst>(user)) {
      access.writes = true;
    } else if (called_name(*user) == primitive::kPrint) {
      access.reads = true;
    } else {
      accesses.traceable = false;
    }
    if (!accesses.traceable) return;
  }
}

/// Whether contents written before a barrier may be read after it.
bool crosses(const Accesses& accesses, llvm::Function& item, llvm::ArrayRef<BasicBlock*> barrier_blocks) {
  // Forwards: written since the last marker. Backwards: read before the next marker. To a fixed point.
  llvm::DenseMap<const BasicBlock*, bool> holds_at_end, wanted_at_start;
  const auto wanted_at_end = [&](BasicBlock* block) {
    return llvm::any_of(llvm::successors(block),
                        [&](BasicBlock* next) { return wanted_at_start.lookup(next); });
  };
  const auto access_of = [&](const llvm::Instruction& instruction) {
    return accesses.at.lookup(&instruction);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock& block : item) {
      bool holds = llvm::any_of(llvm::predecessors(&block),
                                [&](BasicBlock* before) { return holds_at_end.lookup(before); });
      for (const llvm::Instruction& instruction : block) {
        const PrivateAccess access = access_of(instruction);
        holds = access.writes || (holds && !access.kills);
      }
      bool wanted = wanted_at_end(&block);
      for (const llvm::Instruction& instruction : llvm::reverse(block)) {
        const PrivateAccess access = access_of(instruction);
        wanted = access.reads || (wanted && !access.kills);
      }
      changed |= holds != holds_at_end.lookup(&block) || wanted != wanted_at_start.lookup(&block);
      holds_at_end[&block] = holds;
      wanted_at_start[&block] = wanted;
    }
  }
  return llvm::any_of(barrier_blocks,
                      [&](BasicBlock* block) { return holds_at_end.lookup(block) && wanted_at_end(block); });
}

/// Bytes of a work-item's variables that may lie on the stack. The stack holds those of up to 256 lanes at once, and may
/// belong to a thread of the application.
constexpr std::uint64_t kMaxStackBytes = 4096;

llvm::FunctionCallee private_primitive(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      primitive::kPrivate, llvm::PointerType::get(context, 0), llvm::Type::getInt32Ty(context));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return callee;
}

}  // namespace

std::vector<PrivateVariable> lower_private_memory(llvm::Function& item,
                                                  llvm::ArrayRef<BasicBlock*> barrier_blocks) {
  llvm::Module& module = *item.getParent();
  const llvm::DataLayout& layout = module.getDataLayout();
  std::vector<PrivateVariable> privates;
  llvm::SmallVector<llvm::AllocaInst*, 8> variables;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variables.push_back(variable);

  BasicBlock& entry = item.getEntryBlock();
  std::uint64_t on_stack = 0;
  for (llvm::AllocaInst* variable : variables) {
    Accesses accesses;
    collect(*variable, accesses);
    const std::uint64_t size = variable->getAllocationSize(layout)->getFixedValue();
    const bool fits = size <= kMaxStackBytes - on_stack;
    if (fits && barrier_blocks.empty()) {
      on_stack += size;
      continue;
    }
    const bool keep = accesses.traceable && fits && !crosses(accesses, item, barrier_blocks);
    if (!accesses.traceable) {  // collect() stopped early
      accesses.lifetime_markers.clear();
      for (llvm::User* user : variable->users())
        if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
            intrinsic && intrinsic->isLifetimeStartOrEnd())
          accesses.lifetime_markers.push_back(intrinsic);
    }
    for (llvm::IntrinsicInst* marker : accesses.lifetime_markers) marker->eraseFromParent();
    if (keep) {
      on_stack += size;
      if (variable->getParent() != &entry) variable->moveBefore(entry, entry.getFirstInsertionPt());
      continue;
    }
    llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    llvm::CallInst* address =
        builder.CreateCall(private_primitive(module), builder.getInt32(privates.size()));
    address->takeName(variable);
    address->addRetAttr(llvm::Attribute::getWithAlignment(item.getContext(), variable->getAlign()));
    address->addRetAttr(llvm::Attribute::NonNull);
    address->addDereferenceableRetAttr(size);
    privates.push_back({size, variable->getAlign().value(), 0});
    variable->replaceAllUsesWith(address);
    variable->eraseFromParent();
  }
  return privates;
}

}  // namespace weft::compiler::simt
