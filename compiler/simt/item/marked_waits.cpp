#include "compiler/simt/item/marked_waits.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/analysis/waiting_loops.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

llvm::SyncScope::ID wait_scope(llvm::LLVMContext& context) { return context.getOrInsertSyncScopeID(primitive::kWaitScope); }

}  // namespace

bool mark_waits(llvm::Function& item) {
  const auto latches = waiting_latches(item);
  for (llvm::BasicBlock* latch : latches)
    llvm::IRBuilder<>(latch->getTerminator()).CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, wait_scope(item.getContext()));
  return !latches.empty();
}

bool is_wait(const llvm::Instruction& instruction) {
  const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
  return fence && fence->getSyncScopeID() == wait_scope(fence->getContext());
}

}  // namespace weft::compiler::simt
