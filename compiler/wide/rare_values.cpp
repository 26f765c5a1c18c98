#include "compiler/wide/rare_values.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ProfDataUtils.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

namespace weft::compiler::wide {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

/// How many times as often the other side runs, at least.
constexpr std::uint64_t kRarely = 64;

/// The unlikely side of the branch at the end of `block`, if it has one.
std::optional<unsigned> rare_side(const BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  std::uint64_t first = 0, second = 0;
  if (!branch || !branch->isConditional() || !llvm::extractBranchWeights(*branch, first, second)) return std::nullopt;
  if (first >= kRarely * std::max<std::uint64_t>(second, 1)) return 1;
  if (second >= kRarely * std::max<std::uint64_t>(first, 1)) return 0;
  return std::nullopt;
}

/// Whether `instruction` gives the same wherever its operands are known.
bool may_move(const Instruction& instruction) {
  if (instruction.isTerminator() || llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction.mayHaveSideEffects()) return false;
  return !instruction.mayReadFromMemory() || instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

bool is_used_behind(const Instruction& instruction, const BasicBlock& rare, const llvm::DominatorTree& dominators) {
  return !instruction.use_empty() && llvm::all_of(instruction.uses(), [&](const llvm::Use& use) {
    const auto* user = llvm::cast<Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    return dominators.dominates(&rare, phi ? phi->getIncomingBlock(use) : user->getParent());
  });
}

}  // namespace

void move_rare_values(llvm::Function& function) {
  llvm::SmallVector<BasicBlock*, 4> rare;
  for (BasicBlock& block : llvm::make_early_inc_range(function)) {
    const auto side = rare_side(block);
    if (!side) continue;
    BasicBlock* begin = block.getTerminator()->getSuccessor(*side);
    // A loop begins there, say.
    if (!begin->getSinglePredecessor()) begin = llvm::SplitCriticalEdge(block.getTerminator(), *side);
    if (begin) rare.push_back(begin);
  }
  if (rare.empty()) return;
  const llvm::DominatorTree dominators(function);
  for (BasicBlock* side : rare) {
    const auto* node = dominators.getNode(side);
    if (!node) continue;
    while ((node = node->getIDom()))
      for (Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(*node->getBlock())))
        if (may_move(instruction) && is_used_behind(instruction, *side, dominators)) instruction.moveBefore(*side, side->getFirstInsertionPt());
  }
}

}  // namespace weft::compiler::wide
