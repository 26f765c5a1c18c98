#include "compiler/simt/masks/canonicalize_cfg.h"

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/masks/dispatch.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Utils.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;

template <typename Pass>
void run_pass(llvm::Function& function, Analyses& analyses, Pass pass) {
  const llvm::PreservedAnalyses preserved = pass.run(function, analyses.functions());
  analyses.functions().invalidate(function, preserved);
}

/// The value that every return of `function` gives, or -1 if it has no return; null if they differ.
llvm::Constant* common_result(llvm::Function& function) {
  llvm::Constant* common = nullptr;
  for (BasicBlock& block : function) {
    const auto* ret = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (!ret) continue;
    auto* value = llvm::dyn_cast<llvm::Constant>(ret->getReturnValue());
    if (!value || (common && common != value)) return nullptr;
    common = value;
  }
  return common ? common : llvm::ConstantInt::getSigned(function.getReturnType(), -1);
}

/// Merges all returns and `unreachable`s into one return and gives its block. The block begins with a phi of
/// the results, unless all are the same, as they mostly are: then code after an early return has nothing to
/// merge.
BasicBlock& unify_returns(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*, 8> exits;
  for (BasicBlock& block : function)
    if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(block.getTerminator()))
      exits.push_back(block.getTerminator());

  llvm::Constant* common = common_result(function);
  BasicBlock* result = BasicBlock::Create(function.getContext(), "region.return", &function);
  llvm::IRBuilder<> builder(result);
  llvm::PHINode* next = common ? nullptr : builder.CreatePHI(function.getReturnType(), exits.size(), "next");
  builder.CreateRet(common ? static_cast<llvm::Value*>(common) : next);
  for (llvm::Instruction* exit : exits) {
    auto* ret = llvm::dyn_cast<llvm::ReturnInst>(exit);
    BasicBlock* block = exit->getParent();
    if (next)
      next->addIncoming(ret ? ret->getReturnValue() : llvm::ConstantInt::getSigned(next->getType(), -1),
                        block);
    exit->eraseFromParent();
    if (!next && block->empty() && block != &function.getEntryBlock()) {
      block->replaceAllUsesWith(result);
      block->eraseFromParent();
    } else {
      llvm::BranchInst::Create(result, block);
    }
  }
  for (BasicBlock* block : llvm::to_vector(llvm::predecessors(result)))
    if (block->getUniqueSuccessor()) llvm::ConstantFoldTerminator(block);  // both sides of the branch are one block now
  return *result;
}

/// Blocks from which `target` can be reached.
llvm::SmallPtrSet<BasicBlock*, 32> blocks_that_reach(BasicBlock& target) {
  llvm::SmallPtrSet<BasicBlock*, 32> found;
  for (BasicBlock* block : llvm::inverse_depth_first(&target)) found.insert(block);
  return found;
}

/// Gives each infinite loop a conditional edge to `exit` that is never taken.
void open_infinite_loops(llvm::Function& function, BasicBlock& exit) {
  llvm::SmallPtrSet<BasicBlock*, 32> reaching = blocks_that_reach(exit);
  if (llvm::all_of(function, [&](BasicBlock& block) { return reaching.contains(&block); })) return;
  llvm::SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 8> back_edges;
  llvm::FindFunctionBackedges(function, back_edges);
  for (const auto& [from, to] : back_edges) {
    auto* latch = const_cast<BasicBlock*>(from);
    auto* header = const_cast<BasicBlock*>(to);
    if (reaching.contains(latch)) continue;
    BasicBlock* guard = llvm::SplitEdge(latch, header);
    guard->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(header, &exit, llvm::ConstantInt::getTrue(function.getContext()), guard);
    for (llvm::PHINode& phi : exit.phis())
      phi.addIncoming(llvm::ConstantInt::getSigned(phi.getType(), -1), guard);
    reaching = blocks_that_reach(exit);
  }
}

unsigned count_divergent_branches(llvm::Function& function, Analyses& analyses) {
  const llvm::UniformityInfo& uniformity = analyses.uniformity(function);
  return static_cast<unsigned>(llvm::count_if(function, [&](const BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    return branch && branch->isConditional() && uniformity.isDivergent(branch->getCondition());
  }));
}

bool has_irreducible_cycle(llvm::Function& function, Analyses& analyses) {
  const llvm::CycleInfo& cycles = analyses.functions().getResult<llvm::CycleAnalysis>(function);
  return llvm::any_of(function, [&](BasicBlock& block) {
    const llvm::Cycle* cycle = cycles.getCycle(&block);
    return cycle && !cycle->isReducible();
  });
}

/// Structurizing takes time quadratic in the number of branches of a region, and so do the masks' lives in registers after it: half a
/// second for so many. Irreducible cycles make loops of loops first.
constexpr unsigned kMaxStructuredBranches = 256;
constexpr unsigned kMaxIrreducibleBranches = 32;

bool is_large(llvm::Function& region, unsigned branches, Analyses& analyses) {
  return branches > kMaxStructuredBranches || (branches > kMaxIrreducibleBranches && has_irreducible_cycle(region, analyses));
}

/// Runs StructurizeCFG with Weft's divergence rules, under the legacy pass manager: only there can it skip
/// regions of uniform branches.
void structurize(llvm::Function& function) {
  llvm::legacy::FunctionPassManager passes(function.getParent());
  passes.add(llvm::createTargetTransformInfoWrapperPass(divergence_target()));
  passes.add(llvm::createStructurizeCFGPass(/*SkipUniformRegions=*/true));
  passes.doInitialization();
  passes.run(function);
  passes.doFinalization();
}

}  // namespace

bool canonicalize_cfg(llvm::Function& region, Analyses& analyses, passes::Dispatch dispatch) {
  llvm::removeUnreachableBlocks(region);
  analyses.invalidate(region);
  run_pass(region, analyses, llvm::LowerSwitchPass());
  llvm::removeUnreachableBlocks(region);
  BasicBlock& exit = unify_returns(region);
  open_infinite_loops(region, exit);
  llvm::MergeBlockIntoPredecessor(&exit);
  analyses.invalidate(region);
  const unsigned branches = count_divergent_branches(region, analyses);
  if (branches == 0) return false;
  if (dispatch == passes::Dispatch::kAlways || (dispatch == passes::Dispatch::kLarge && is_large(region, branches, analyses))) {
    dispatch_blocks(region);
    analyses.invalidate(region);
    return true;
  }

  run_pass(region, analyses, llvm::FixIrreduciblePass());
  run_pass(region, analyses, llvm::LoopSimplifyPass());
  run_pass(region, analyses, llvm::UnifyLoopExitsPass());
  analyses.uniformity(region);  // marks divergent phis at the new exits for structurize()
  structurize(region);
  analyses.invalidate(region);
  return false;
}

}  // namespace weft::compiler::simt
