#include "compiler/simt/analysis/uniformity.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>

#include "compiler/support/analysis_managers.h"
#include "compiler/simt/ir/address_spaces.h"

namespace weft::compiler::simt {
namespace {

/// The unroller's size limit (in instructions, about) for a loop that indexes a private array. It is high because
/// constant indices turn the array into registers.
constexpr unsigned kPrivateUnrollThreshold = 2700;
constexpr std::uint64_t kMaxRegisterArray = 1024;  // bytes of a work-item

/// A constant, or a recurrence whose start and steps are such: unrolling makes constants of it.
bool is_constant_recurrence(const llvm::SCEV* value) {
  const auto* count = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
  if (!count) return llvm::isa<llvm::SCEVConstant>(value);
  return llvm::all_of(count->operands(), is_constant_recurrence);
}

/// Whether `value` is computed from loop counters and constants alone, in at most `depth` steps.
bool depends_on_counters_only(const llvm::Value* value, llvm::ScalarEvolution& evolution, unsigned depth) {
  if (llvm::isa<llvm::ConstantInt>(value)) return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !evolution.isSCEVable(instruction->getType())) return false;
  if (is_constant_recurrence(evolution.getSCEV(const_cast<llvm::Instruction*>(instruction)))) return true;
  if (!depth || llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadOrWriteMemory()) return false;
  return instruction->getNumOperands() != 0 && llvm::all_of(instruction->operands(), [&](const llvm::Value* operand) {
    return depends_on_counters_only(operand, evolution, depth - 1);
  });
}

/// Whether `loop` indexes a private array by values that unrolling makes constant.
bool indexes_private_array(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  constexpr unsigned kDepth = 6;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (!address || address->getAddressSpace() != kPrivateSpace || address->hasAllConstantIndices()) continue;
      const auto* array = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(address));
      if (!array || !array->isStaticAlloca()) continue;
      const auto size = array->getAllocationSize(block->getDataLayout());
      if (!size || size->getFixedValue() > kMaxRegisterArray) continue;
      for (const llvm::Use& index : address->indices())
        if (const auto* value = llvm::dyn_cast<llvm::Instruction>(index); value && loop.contains(value) && depends_on_counters_only(value, evolution, kDepth))
          return true;
    }
  }
  return false;
}

class SimtTargetInfo : public llvm::TargetTransformInfoImplCRTPBase<SimtTargetInfo> {
 public:
  explicit SimtTargetInfo(const llvm::DataLayout& layout) : TargetTransformInfoImplCRTPBase(layout) {}
  bool hasBranchDivergence(const llvm::Function* = nullptr) const { return true; }
  bool isSourceOfDivergence(const llvm::Value* value) const { return is_source_of_divergence(*value); }
  bool isAlwaysUniform(const llvm::Value* value) const { return is_always_uniform(*value); }
  void getUnrollingPreferences(llvm::Loop* loop, llvm::ScalarEvolution& evolution, llvm::TargetTransformInfo::UnrollingPreferences& preferences,
                               llvm::OptimizationRemarkEmitter*) const {
    preferences.Partial = preferences.Runtime = preferences.UpperBound = false;
    if (indexes_private_array(*loop, evolution)) preferences.Threshold = kPrivateUnrollThreshold;
  }
};

/// True for memory of a lane's own, false for memory reached from the launch or the group, which lanes share.
bool points_to_private(const llvm::Value& pointer) {
  if (pointer.getType()->getPointerAddressSpace() != kPrivateSpace) return false;
  const llvm::Value* object = llvm::getUnderlyingObject(&pointer, 0);
  if (llvm::isa<llvm::Argument>(object) || llvm::isa<llvm::GlobalValue>(object)) return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(object)) return points_to_private(*load->getPointerOperand());
  return object->getType()->getPointerAddressSpace() == kPrivateSpace;
}

/// True if `phi`, after `cycle`, has different values for different exits.
bool differs_by_exit(const llvm::PHINode& phi, const llvm::Cycle& cycle) {
  const llvm::Value* first = nullptr;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (!cycle.contains(phi.getIncomingBlock(i))) continue;
    const llvm::Value* value = phi.getIncomingValue(i);
    if (first && value != first) return true;
    first = value;
  }
  return false;
}

/// True if lanes may leave `cycle` in different iterations, or in one iteration by different exits.
bool has_divergent_exit(const llvm::Cycle& cycle, llvm::UniformityInfo& uniformity, const llvm::PostDominatorTree& post_dominators) {
  return llvm::any_of(cycle.blocks(), [&](const llvm::BasicBlock* block) {
    if (!uniformity.hasDivergentTerminator(*block)) return false;
    const llvm::DomTreeNode* node = post_dominators.getNode(block);
    const llvm::DomTreeNode* join = node ? node->getIDom() : nullptr;
    return !join || !join->getBlock() || !cycle.contains(join->getBlock());
  });
}

void collect_cycles(const llvm::Cycle& cycle, llvm::SmallVectorImpl<const llvm::Cycle*>& all) {
  all.push_back(&cycle);
  for (const llvm::Cycle* inner : cycle.children()) collect_cycles(*inner, all);
}

/// Marks divergent phis after loops that LLVM's analysis (19) misses; true if there are new ones. It handles values of a
/// loop that lanes leave one by one, and phis where paths meet. It misses a phi that merges exits (`r = 1` or `r = 2`)
/// when one lane leaves at a divergent back edge and another goes round once more and leaves at a uniform branch.
bool mark_divergent_exits(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, llvm::UniformityInfo& uniformity) {
  const llvm::CycleInfo& info = analyses.getResult<llvm::CycleAnalysis>(function);
  llvm::SmallVector<const llvm::Cycle*, 16> cycles;
  for (const llvm::Cycle* cycle : info.toplevel_cycles()) collect_cycles(*cycle, cycles);
  std::optional<llvm::PostDominatorTree> post_dominators;
  bool marked = false;
  for (const llvm::Cycle* cycle : cycles) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    cycle->getExitBlocks(exits);
    llvm::SmallVector<llvm::PHINode*, 8> candidates;
    for (llvm::BasicBlock* exit : exits)
      for (llvm::PHINode& phi : exit->phis())
        if (!uniformity.isDivergent(&phi) && differs_by_exit(phi, *cycle)) candidates.push_back(&phi);
    if (candidates.empty()) continue;
    if (!post_dominators) post_dominators.emplace(function);
    if (!has_divergent_exit(*cycle, uniformity, *post_dominators)) continue;
    for (llvm::PHINode* phi : candidates)
      phi->setMetadata(primitive::kDivergentMetadata, llvm::MDNode::get(function.getContext(), {}));
    marked = true;
  }
  return marked;
}

/// The blocks where forward paths from `branch`'s sides meet. `order` is a reverse post-order, `position` its inverse.
llvm::SmallVector<llvm::BasicBlock*, 8> find_joins(llvm::BasicBlock& branch, llvm::ArrayRef<llvm::BasicBlock*> order,
                                                   const llvm::DenseMap<llvm::BasicBlock*, unsigned>& position) {
  llvm::SmallVector<llvm::BasicBlock*, 8> joins;
  // Labels each block with the last block that all paths to it have passed since `branch`.
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> label_of;
  const unsigned first = position.lookup(&branch);
  unsigned last = first;
  const auto reach = [&](llvm::BasicBlock* block) { last = std::max(last, position.lookup(block)); };
  for (llvm::BasicBlock* side : llvm::successors(&branch)) reach(side);
  for (unsigned i = first + 1; i <= last; ++i) {
    llvm::BasicBlock* block = order[i];
    llvm::SmallPtrSet<llvm::BasicBlock*, 4> labels;
    for (llvm::BasicBlock* from : llvm::predecessors(block)) {
      if (from == &branch) labels.insert(block);
      else if (llvm::BasicBlock* label = label_of.lookup(from); label && position.lookup(from) < i) labels.insert(label);
    }
    if (labels.empty()) continue;
    // A side may be a join, too: its own label meets another.
    if (labels.size() > 1) joins.push_back(block);
    label_of[block] = labels.size() > 1 ? block : *labels.begin();
    for (llvm::BasicBlock* next : llvm::successors(block)) reach(next);
  }
  return joins;
}

/// Marks divergent phis at joins that LLVM's analysis (19) also misses; true if there are new ones. Such a join lies after
/// a side of a divergent branch that has branches of its own in a loop; its phis hold one side's value or the other's.
bool mark_divergent_joins(llvm::Function& function, llvm::UniformityInfo& uniformity) {
  const llvm::ReversePostOrderTraversal<llvm::Function*> traversal(&function);
  const llvm::SmallVector<llvm::BasicBlock*, 32> order(traversal.begin(), traversal.end());
  llvm::DenseMap<llvm::BasicBlock*, unsigned> position;
  for (unsigned i = 0; i < order.size(); ++i) position[order[i]] = i;
  bool marked = false;
  for (llvm::BasicBlock* block : order) {
    if (!uniformity.hasDivergentTerminator(*block)) continue;
    for (llvm::BasicBlock* join : find_joins(*block, order, position))
      for (llvm::PHINode& phi : join->phis()) {
        if (uniformity.isDivergent(&phi) || phi.hasConstantOrUndefValue() || phi.hasMetadata(primitive::kDivergentMetadata)) continue;
        phi.setMetadata(primitive::kDivergentMetadata, llvm::MDNode::get(function.getContext(), {}));
        marked = true;
      }
  }
  return marked;
}

}  // namespace

bool is_always_uniform(const llvm::Value& value) {
  const llvm::StringRef name = called_name(value);
  if (name == primitive::kAny || name == primitive::kAll) return true;
  return name.starts_with(primitive::kSlotLoad) &&
         llvm::cast<llvm::Instruction>(value).hasMetadata(primitive::kUniformMetadata);
}

bool is_source_of_divergence(const llvm::Value& value) {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return phi->hasMetadata(primitive::kDivergentMetadata);
  if (llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::AtomicRMWInst>(value) ||
      llvm::isa<llvm::AtomicCmpXchgInst>(value))
    return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) return points_to_private(*load->getPointerOperand());
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  if (!call || call->getType()->isVoidTy()) return false;
  if (is_always_uniform(value) || is_arithmetic_primitive(value)) return false;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call)) return intrinsic->mayReadOrWriteMemory();
  return true;
}

llvm::TargetIRAnalysis divergence_target() {
  return llvm::TargetIRAnalysis([](const llvm::Function& function) {
    return llvm::TargetTransformInfo(SimtTargetInfo(function.getParent()->getDataLayout()));
  });
}

llvm::UniformityInfo& Analyses::uniformity(llvm::Function& function) {
  for (;;) {
    llvm::UniformityInfo& result = functions_.getResult<llvm::UniformityInfoAnalysis>(function);
    const bool marked = mark_divergent_exits(function, functions_, result);
    if (!mark_divergent_joins(function, result) && !marked) return result;
    llvm::PreservedAnalyses preserved = llvm::PreservedAnalyses::all();
    preserved.abandon<llvm::UniformityInfoAnalysis>();
    functions_.invalidate(function, preserved);
  }
}

Analyses::Analyses() {
  // The first registration of an analysis wins, so ours comes before the PassBuilder's.
  functions_.registerPass([] { return divergence_target(); });
  llvm::PassBuilder builder;
  support::register_analyses(builder, loops_, functions_, sccs_, modules_);
}

}  // namespace weft::compiler::simt
