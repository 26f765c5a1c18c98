#include "compiler/simt/analysis/short_sides.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler::simt {
namespace {

/// So many instructions are cheaper to run for no lane than to branch around.
constexpr unsigned kMostInstructions = 8;

}  // namespace

Side side_of(const llvm::BranchInst& branch) {
  if (!branch.isConditional()) return {};
  const llvm::BasicBlock *first = branch.getSuccessor(0), *second = branch.getSuccessor(1);
  if (first->getSingleSuccessor() == second && first->getSinglePredecessor()) return {first, second};
  if (second->getSingleSuccessor() == first && second->getSinglePredecessor()) return {second, first};
  return {};
}

bool is_short(Side side, llvm::function_ref<bool(const llvm::LoadInst&)> may_load) {
  if (!side.block || side.block->getSingleSuccessor() != side.join || llvm::isa<llvm::PHINode>(side.block->begin())) return false;
  unsigned count = 0;
  for (const llvm::Instruction& instruction : side.block->instructionsWithoutDebug()) {
    if (instruction.isTerminator()) break;
    if (++count > kMostInstructions) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && may_load(*load)) continue;
    if (instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction)) return false;
  }
  return true;
}

bool runs_for_all(Side side) {
  return is_short(side, [](const llvm::LoadInst& load) { return load.hasMetadata(kMaskedMetadata); });
}

}  // namespace weft::compiler::simt
