#include "compiler/simt/item/divergent_exits.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

#include "compiler/frontend/loop_exits.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/sub_groups.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Loop;

/// Which functions call a primitive of sub-groups that depends on who executes it together, or others that do.
class Meeting {
 public:
  explicit Meeting(const llvm::Module& module) {
    for (const llvm::Function& function : module)
      if (const auto primitive = sub_group_primitive(function.getName()); primitive && primitive->is_convergent()) functions_.insert(&function);
    for (std::size_t i = 0; i < functions_.size(); ++i)
      for (const llvm::User* user : functions_[i]->users())
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) functions_.insert(call->getFunction());
  }

  bool contains(const llvm::Function& function) const { return functions_.contains(&function); }
  bool is_called_in(const BasicBlock& block) const {
    return llvm::any_of(block, [&](const llvm::Instruction& instruction) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && call->getCalledFunction() && contains(*call->getCalledFunction());
    });
  }

 private:
  llvm::SmallSetVector<const llvm::Function*, 16> functions_;
};

bool is_in_every_iteration(const BasicBlock* block, const Loop& loop, const llvm::DominatorTree& tree) {
  llvm::SmallVector<BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  return llvm::all_of(latches, [&](const BasicBlock* latch) { return tree.dominates(block, latch); });
}

/// Blocks of `loop` that are behind a call which some iterations go without, in the same iteration.
llvm::SmallPtrSet<const BasicBlock*, 16> behind_calls(const Loop& loop, const llvm::DominatorTree& tree, const Meeting& meeting) {
  llvm::SmallVector<const BasicBlock*, 16> open;
  for (const BasicBlock* block : loop.blocks())
    if (meeting.is_called_in(*block) && !is_in_every_iteration(block, loop, tree)) open.push_back(block);
  llvm::SmallPtrSet<const BasicBlock*, 16> behind(open.begin(), open.end());
  while (!open.empty())
    for (const BasicBlock* next : llvm::successors(open.pop_back_val()))
      if (next != loop.getHeader() && loop.contains(next) && behind.insert(next).second) open.push_back(next);
  return behind;
}

bool has_way_back(const BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() && called_name(*branch->getCondition()) == frontend::kLeaves;
}

/// Of the innermost loop that has any.
bool keep_exits_of_a_loop(llvm::Function& function, const Meeting& meeting, Analyses& analyses) {
  const auto& tree = analyses.functions().getResult<llvm::DominatorTreeAnalysis>(function);
  const auto& loops = analyses.functions().getResult<llvm::LoopAnalysis>(function);
  llvm::UniformityInfo* uniformity = is_kernel(function) ? &analyses.uniformity(function) : nullptr;
  const auto all = loops.getLoopsInPreorder();
  for (const Loop* loop : llvm::reverse(all)) {
    const auto behind = behind_calls(*loop, tree, meeting);
    llvm::SmallVector<Loop::Edge, 4> edges;
    loop->getExitEdges(edges);
    llvm::SmallSetVector<Loop::Edge, 4> kept;  // a block may have several to one target
    for (const Loop::Edge& edge : edges) {
      const BasicBlock* from = edge.first;
      const bool all_leave = uniformity && !uniformity->hasDivergentTerminator(*from) && is_in_every_iteration(from, *loop, tree);
      if (behind.contains(from) && !all_leave && !has_way_back(*from)) kept.insert(edge);
    }
    for (const auto& [from, target] : kept)
      frontend::lead_back(const_cast<BasicBlock&>(*from), const_cast<BasicBlock&>(*target), *loop->getHeader());
    if (!kept.empty()) return true;
  }
  return false;
}

void keep_exits(llvm::Function& function, const Meeting& meeting, Analyses& analyses) {
  if (function.isDeclaration() || !meeting.contains(function)) return;
  while (keep_exits_of_a_loop(function, meeting, analyses)) analyses.invalidate(function);
}

}  // namespace

void keep_exits_of_functions(llvm::Module& module, Analyses& analyses) {
  const Meeting meeting(module);
  for (llvm::Function& function : module)
    if (!is_kernel(function)) keep_exits(function, meeting, analyses);
}

void keep_divergent_exits(llvm::Function& kernel, Analyses& analyses) { keep_exits(kernel, Meeting(*kernel.getParent()), analyses); }

}  // namespace weft::compiler::simt
