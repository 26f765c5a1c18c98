#include "compiler/simt/masks/canonicalize_cfg.h"

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/masks/dispatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
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

/// Whether the terminator of a block sends lanes to different blocks.
using Diverges = llvm::function_ref<bool(const llvm::BranchInst&)>;

bool has_divergent_branch(llvm::Function& function, Diverges diverges) {
  return llvm::any_of(function, [&](const BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    return branch && branch->isConditional() && diverges(*branch);
  });
}

/// What structurizing `function` costs: the time goes with the square of the number of divergent branches whose sides meet in one block,
/// and so do the masks and values that live from there to the meeting.
std::uint64_t structuring_cost(llvm::Function& function, Analyses& analyses, Diverges diverges) {
  const auto& meetings = analyses.functions().getResult<llvm::PostDominatorTreeAnalysis>(function);
  llvm::DenseMap<const BasicBlock*, std::uint64_t> branches;
  for (BasicBlock& block : function) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || !diverges(*branch)) continue;
    const llvm::DomTreeNode* node = meetings.getNode(&block);
    ++branches[node && node->getIDom() ? node->getIDom()->getBlock() : nullptr];
  }
  std::uint64_t cost = 0;
  for (const auto& [meeting, count] : branches) cost += count * count;
  return cost;
}

/// The instructions that differ between lanes by what they are computed from: some of all that do, found in time linear in the size of
/// `function`, as LLVM's analysis does not find them.
llvm::DenseSet<const llvm::Instruction*> computed_divergence(llvm::Function& function) {
  llvm::DenseSet<const llvm::Instruction*> found;
  llvm::SmallVector<const llvm::Instruction*, 0> open;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (is_source_of_divergence(instruction) && found.insert(&instruction).second) open.push_back(&instruction);
  while (!open.empty())
    for (const llvm::User* user : open.pop_back_val()->users())
      if (const auto* next = llvm::cast<llvm::Instruction>(user); !is_always_uniform(*next) && found.insert(next).second) open.push_back(next);
  return found;
}

bool has_irreducible_cycle(llvm::Function& function, Analyses& analyses) {
  const llvm::CycleInfo& cycles = analyses.functions().getResult<llvm::CycleAnalysis>(function);
  return llvm::any_of(function, [&](BasicBlock& block) {
    const llvm::Cycle* cycle = cycles.getCycle(&block);
    return cycle && !cycle->isReducible();
  });
}

/// So many divergent branches to one meeting take half a second, or two where they jump over each other. Irreducible cycles make loops of loops first.
constexpr std::uint64_t kMostStructuringCost = 128 * 128;
constexpr std::uint64_t kMostIrreducibleCost = 32 * 32;

bool is_large(llvm::Function& region, Analyses& analyses, Diverges diverges) {
  const std::uint64_t cost = structuring_cost(region, analyses, diverges);
  return cost > kMostStructuringCost || (cost > kMostIrreducibleCost && has_irreducible_cycle(region, analyses));
}

/// Whether `region` is to run block by block. Sets `diverges` if it has divergent branches.
bool is_to_dispatch(llvm::Function& region, Analyses& analyses, passes::Dispatch dispatch, bool& diverges) {
  diverges = true;
  if (dispatch == passes::Dispatch::kLarge) {
    const auto computed = computed_divergence(region);
    const auto by_value = [&](const llvm::BranchInst& branch) {
      const auto* condition = llvm::dyn_cast<llvm::Instruction>(branch.getCondition());
      return condition && computed.contains(condition);
    };
    if (is_large(region, analyses, by_value)) return true;
  }
  const llvm::UniformityInfo& uniformity = analyses.uniformity(region);
  const auto differs = [&](const llvm::BranchInst& branch) { return uniformity.isDivergent(branch.getCondition()); };
  diverges = has_divergent_branch(region, differs);
  return diverges && (dispatch == passes::Dispatch::kAlways ||
                      (dispatch == passes::Dispatch::kLarge && is_large(region, analyses, differs)));
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

/// Lanes leave a structurized loop where a phi is true, and masks are of those that stay. So the comparisons in the phi are negated here, where
/// one that is the same for all lanes is a scalar yet: of the mask, a vector would be.
void stay_where_true(llvm::Function& region, Analyses& analyses) {
  const auto is_easily_negated = [](const llvm::Value* value) {
    return llvm::isa<llvm::ConstantInt>(value) || (llvm::isa<llvm::CmpInst>(value) && value->hasOneUse());
  };
  for (const llvm::Loop* loop : analyses.functions().getResult<llvm::LoopAnalysis>(region).getLoopsInPreorder()) {
    BasicBlock* latch = loop->getLoopLatch();
    auto* branch = latch ? llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator()) : nullptr;
    if (!branch || !branch->isConditional() || branch->getSuccessor(1) != loop->getHeader()) continue;
    auto* leaves = llvm::dyn_cast<llvm::PHINode>(branch->getCondition());
    if (!leaves || !leaves->hasOneUse() || !llvm::all_of(leaves->incoming_values(), is_easily_negated)) continue;
    for (llvm::Use& use : leaves->incoming_values())
      if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(use))
        compare->setPredicate(compare->getInversePredicate());
      else
        use.set(llvm::ConstantInt::getBool(region.getContext(), llvm::cast<llvm::ConstantInt>(use)->isZero()));
    branch->swapSuccessors();
  }
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
  bool diverges;
  if (is_to_dispatch(region, analyses, dispatch, diverges)) {
    dispatch_blocks(region);
    analyses.invalidate(region);
    return true;
  }
  if (!diverges) return false;

  run_pass(region, analyses, llvm::FixIrreduciblePass());
  run_pass(region, analyses, llvm::LoopSimplifyPass());
  run_pass(region, analyses, llvm::UnifyLoopExitsPass());
  analyses.uniformity(region);  // marks divergent phis at the new exits for structurize()
  structurize(region);
  analyses.invalidate(region);
  stay_where_true(region, analyses);
  return false;
}

}  // namespace weft::compiler::simt
