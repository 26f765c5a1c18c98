#include "compiler/simt/analysis/uniformity.h"

#include <algorithm>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
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

#include "compiler/frontend/loop_exits.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/lane_rows.h"
#include "compiler/simt/ir/least.h"
#include "compiler/simt/ir/sub_groups.h"

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

/// Whether `load` reads a table of constants, of which a constant place makes a constant.
bool reads_constant_table(const llvm::LoadInst& load) {
  const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(load.getPointerOperand()));
  return load.isSimple() && table && table->isConstant() && table->hasDefinitiveInitializer();
}

/// Whether `value` is computed from loop counters and constants alone, tables of constants among them, in at most `depth` steps.
bool depends_on_counters_only(const llvm::Value* value, llvm::ScalarEvolution& evolution, unsigned depth) {
  if (llvm::isa<llvm::ConstantInt, llvm::GlobalVariable>(value)) return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !evolution.isSCEVable(instruction->getType())) return false;
  if (is_constant_recurrence(evolution.getSCEV(const_cast<llvm::Instruction*>(instruction)))) return true;
  if (!depth || llvm::isa<llvm::PHINode>(instruction)) return false;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
  if (load ? !reads_constant_table(*load) : instruction->mayReadOrWriteMemory()) return false;
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

/// Whether a phi would differ between lanes that came by different edges, and is not known to.
bool may_miss_divergence(const llvm::PHINode& phi, const llvm::UniformityInfo& uniformity) {
  return !uniformity.isDivergent(&phi) && !phi.hasConstantOrUndefValue() && !phi.hasMetadata(primitive::kDivergentMetadata);
}

/// Finds the blocks where forward paths from a branch's sides meet. Blocks are numbers, their places in a reverse post-order.
class Joins {
 public:
  Joins(llvm::Function& function, const llvm::PostDominatorTree& post_dominators) {
    const llvm::ReversePostOrderTraversal<llvm::Function*> traversal(&function);
    blocks_.assign(traversal.begin(), traversal.end());
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> number;
    for (unsigned i = 0; i < blocks_.size(); ++i) number[blocks_[i]] = i;
    sources_.resize(blocks_.size());
    ends_.assign(blocks_.size(), kNone);
    reach_.assign(blocks_.size(), 0);
    label_.resize(blocks_.size());
    seen_.assign(blocks_.size(), kNone);
    for (unsigned i = 0; i < blocks_.size(); ++i) {
      for (llvm::BasicBlock* next : llvm::successors(blocks_[i])) {
        const unsigned to = number.lookup(next);
        if (to <= i || (!sources_[to].empty() && sources_[to].back() == i)) continue;
        sources_[to].push_back(i);
        reach_[i] = std::max(reach_[i], to);
      }
      const llvm::DomTreeNode* node = post_dominators.getNode(blocks_[i]);
      if (node && node->getIDom() && node->getIDom()->getBlock()) ends_[i] = number.lookup(node->getIDom()->getBlock());
    }
  }

  llvm::ArrayRef<llvm::BasicBlock*> blocks() const { return blocks_; }
  /// Whether forward paths come to the block by two edges at least.
  bool may_be_join(unsigned block) const { return sources_[block].size() > 1; }

  /// Calls found(join) for the joins of the branch that ends block `branch`, up to block `last`.
  template <typename F>
  void for_each(unsigned branch, unsigned last, F&& found) {
    // Labels each block with the last block that all paths to it have passed since the branch; no path goes round the branch's
    // post-dominator, behind which all have one label.
    unsigned reached = reach_[branch];
    for (unsigned block = branch + 1; block <= std::min(reached, last); ++block) {
      unsigned label = kNone;
      bool meets = false;
      for (const unsigned from : sources_[block]) {
        // A side may be a join, too: its own label meets another.
        const unsigned by = from == branch ? block : from > branch && seen_[from] == branch && from != ends_[branch] ? label_[from] : kNone;
        if (by == kNone) continue;
        meets |= label != kNone && label != by;
        label = by;
      }
      if (label == kNone) continue;
      seen_[block] = branch;
      label_[block] = meets ? block : label;
      if (block != ends_[branch]) reached = std::max(reached, reach_[block]);
      if (meets) found(block);
    }
  }

 private:
  static constexpr unsigned kNone = ~0u;
  std::vector<llvm::BasicBlock*> blocks_;
  std::vector<llvm::SmallVector<unsigned, 2>> sources_;  ///< of forward edges, each once
  std::vector<unsigned> reach_;                          ///< the last block that an edge leads to
  std::vector<unsigned> ends_;                           ///< immediate post-dominators
  std::vector<unsigned> label_, seen_;                   ///< of the branch that is looked at, and for which a label is
};

/// Marks divergent phis at joins that LLVM's analysis (19) also misses; true if there are new ones. Such a join lies after
/// a side of a divergent branch that has branches of its own in a loop; its phis hold one side's value or the other's.
bool mark_divergent_joins(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, llvm::UniformityInfo& uniformity) {
  const auto needs_look = [&](const llvm::BasicBlock& block) {
    return llvm::any_of(block.phis(), [&](const llvm::PHINode& phi) { return may_miss_divergence(phi, uniformity); });
  };
  if (llvm::none_of(function, needs_look)) return false;
  Joins joins(function, analyses.getResult<llvm::PostDominatorTreeAnalysis>(function));
  const llvm::ArrayRef<llvm::BasicBlock*> blocks = joins.blocks();
  // Functions may have thousands of divergent branches, mostly without such a block ahead.
  unsigned last = 0;
  for (unsigned i = 0; i < blocks.size(); ++i)
    if (joins.may_be_join(i) && needs_look(*blocks[i])) last = i;
  bool marked = false;
  for (unsigned i = 0; i < last; ++i) {
    if (!uniformity.hasDivergentTerminator(*blocks[i])) continue;
    joins.for_each(i, last, [&](unsigned join) {
      for (llvm::PHINode& phi : blocks[join]->phis()) {
        if (!may_miss_divergence(phi, uniformity)) continue;
        phi.setMetadata(primitive::kDivergentMetadata, llvm::MDNode::get(function.getContext(), {}));
        marked = true;
      }
    });
  }
  return marked;
}

}  // namespace

bool is_always_uniform(const llvm::Value& value) {
  const llvm::StringRef name = called_name(value);
  if (name == primitive::kAny || name == primitive::kAll || name == primitive::kLeast || name == primitive::kFew ||
      name == primitive::kRowFits || name == primitive::kRowAny || name == frontend::kLeaves)
    return true;
  if (const auto sub_group = sub_group_call(value)) return sub_group->is_uniform();
  return name.starts_with(primitive::kSlotLoad) &&
         llvm::cast<llvm::Instruction>(value).hasMetadata(primitive::kUniformMetadata);
}

bool is_source_of_divergence(const llvm::Value& value) {
  if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
      instruction && instruction->getFunction()->hasFnAttribute(primitive::kOneLaneAttribute))
    return false;
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return phi->hasMetadata(primitive::kDivergentMetadata);
  if (llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::AtomicRMWInst>(value) ||
      llvm::isa<llvm::AtomicCmpXchgInst>(value))
    return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) {
    // Each lane reads for itself, and between two reads another thread may write.
    return load->isAtomic() || points_to_private(*load->getPointerOperand());
  }
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
    if (!mark_divergent_joins(function, functions_, result) && !marked) return result;
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
