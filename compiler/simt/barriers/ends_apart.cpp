#include "compiler/simt/barriers/ends_apart.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/analysis/divergent_blocks.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/sub_groups.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

/// Whether the region that starts at `start` has both, a way to the kernel's end and one to a barrier.
bool ends_or_waits(BasicBlock* start, const llvm::DenseSet<const BasicBlock*>& exits) {
  bool ends = false, waits = false;
  llvm::DenseSet<const BasicBlock*> seen = {start};
  llvm::SmallVector<BasicBlock*, 32> pending = {start};
  while (!pending.empty() && !(ends && waits)) {
    BasicBlock* block = pending.pop_back_val();
    ends |= llvm::isa<llvm::ReturnInst>(block->getTerminator());
    if (exits.contains(block)) {
      waits = true;
      continue;
    }
    for (BasicBlock* next : llvm::successors(block))
      if (seen.insert(next).second) pending.push_back(next);
  }
  return ends && waits;
}

/// Whether a branch of `item` is decided by what is the same in a warp and may differ between warps: a sub-group's number, or what its
/// work-items have found together. A choice by such a value that comes through a phi is a branch before.
bool warps_decide(llvm::Function& item) {
  llvm::DenseSet<const Instruction*> found;
  llvm::SmallVector<const Instruction*, 16> pending;
  for (const Instruction& instruction : llvm::instructions(item))
    if (const auto call = sub_group_call(instruction); call && call->is_uniform()) pending.push_back(&instruction);
  while (!pending.empty())
    for (const llvm::User* user : pending.pop_back_val()->users()) {
      const auto* next = llvm::cast<Instruction>(user);
      if (next->isTerminator()) return true;
      if (found.insert(next).second) pending.push_back(next);
    }
  return false;
}

}  // namespace

Ends how_ends(llvm::Function& item, llvm::ArrayRef<Barrier> barriers, Analyses& analyses) {
  llvm::DenseSet<const BasicBlock*> exits;
  for (const Barrier& barrier : barriers) exits.insert(barrier.exit);
  const bool both = ends_or_waits(&item.getEntryBlock(), exits) ||
                    llvm::any_of(barriers, [&](const Barrier& barrier) { return ends_or_waits(barrier.entry, exits); });
  if (!both) return Ends::kTogether;
  const DivergentBlocks divergent = divergent_blocks(item, analyses.uniformity(item));
  if (llvm::any_of(barriers, [&](const Barrier& barrier) { return divergent.contains(barrier.exit); })) return Ends::kByLanes;
  return warps_decide(item) ? Ends::kByWarps : Ends::kTogether;
}

}  // namespace weft::compiler::simt
