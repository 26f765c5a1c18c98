#include "compiler/simt/analysis/waiting_loops.h"

#include <llvm/ADT/GenericCycleImpl.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

/// True for a read that the program made atomic or volatile: another work-item may have written its value meanwhile.
bool observes_others(const llvm::Value& value) {
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value)) return true;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  return load && !is_plain_access(*load);
}

bool is_own_memory(const llvm::Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == kLocalSpace || space == kPrivateSpace;
}

/// As above, or a read of local memory: one work-item of a group may look, and tell the others what it has found.
bool may_observe_others(const llvm::Value& value) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  return observes_others(value) || (load && load->getPointerAddressSpace() == kLocalSpace);
}

/// Makes observations of other work-items the sources that LLVM's uniformity analysis follows through data and control
/// flow: "divergent" means dependent on one.
class ObservationTarget : public llvm::TargetTransformInfoImplCRTPBase<ObservationTarget> {
 public:
  ObservationTarget(const llvm::DataLayout& layout, bool (*observes)(const llvm::Value&))
      : TargetTransformInfoImplCRTPBase(layout), observes_(observes) {}
  bool hasBranchDivergence(const llvm::Function* = nullptr) const { return true; }
  bool isSourceOfDivergence(const llvm::Value* value) const { return observes_(*value); }
  bool isAlwaysUniform(const llvm::Value*) const { return false; }

 private:
  bool (*observes_)(const llvm::Value&);
};

bool has_exit_on_observation(const llvm::Cycle& cycle, llvm::UniformityInfo& observed) {
  llvm::SmallVector<llvm::BasicBlock*, 8> exits;
  cycle.getExitingBlocks(exits);
  for (const llvm::BasicBlock* block : exits)
    if (observed.hasDivergentTerminator(*block)) return true;
  for (const llvm::Cycle* inner : cycle.children())
    if (has_exit_on_observation(*inner, observed)) return true;
  return false;
}

/// Calls `visit` for each cycle of `function` that is in no other, with what depends on what `observes_one` is true of.
void for_each_cycle(llvm::Function& function, bool (*observes_one)(const llvm::Value&),
                    llvm::function_ref<void(const llvm::Cycle&, llvm::UniformityInfo&)> visit) {
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses.registerPass([] { return llvm::CycleAnalysis(); });
  analyses.registerPass([] { return llvm::UniformityInfoAnalysis(); });
  analyses.registerPass([=] {
    return llvm::TargetIRAnalysis(
        [=](const llvm::Function& one) { return llvm::TargetTransformInfo(ObservationTarget(one.getDataLayout(), observes_one)); });
  });
  llvm::UniformityInfo& observed = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  for (const llvm::Cycle* cycle : analyses.getResult<llvm::CycleAnalysis>(function).toplevel_cycles()) visit(*cycle, observed);
}

bool observes(const llvm::Function& function) { return llvm::any_of(llvm::instructions(function), observes_others); }

bool is_outside(const llvm::Value& value, const llvm::Cycle& cycle) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return !instruction || !cycle.contains(instruction->getParent());
}

bool is_probe(const llvm::Instruction& instruction) {
  const llvm::StringRef name = called_name(instruction);
  return name == primitive::kCountBlock || name == primitive::kCountBranch || name == primitive::kCountAccess;
}

/// Whether `instruction`, of `cycle`, leaves memory as it is or puts there the same in each iteration.
bool changes_nothing(const llvm::Instruction& instruction, const llvm::Cycle& cycle) {
  if (llvm::isa<llvm::LoadInst, llvm::FenceInst>(instruction) || is_barrier(instruction)) return true;
  // What only the group itself sees.
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return is_own_memory(*store->getPointerOperand());
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    const bool exchanges = update->getOperation() == llvm::AtomicRMWInst::Xchg;
    return exchanges ? is_outside(*update->getValOperand(), cycle) : leaves_what_it_finds(*update);
  }
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return is_outside(*exchange->getCompareOperand(), cycle) && is_outside(*exchange->getNewValOperand(), cycle);
  return !instruction.mayHaveSideEffects() || llvm::isa<llvm::DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd() ||
         is_probe(instruction);
}

bool looks_at_global_memory(const llvm::Instruction& instruction) {
  if (!observes_others(instruction)) return false;
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return !is_own_memory(*update->getPointerOperand());
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return !is_own_memory(*exchange->getPointerOperand());
  return !is_own_memory(*llvm::cast<llvm::LoadInst>(instruction).getPointerOperand());
}

bool only_looks(const llvm::Cycle& cycle, llvm::UniformityInfo& observed) {
  bool looks = false;
  for (const llvm::BasicBlock* block : cycle.blocks())
    for (const llvm::Instruction& instruction : *block) {
      if (!changes_nothing(instruction, cycle)) return false;
      looks |= looks_at_global_memory(instruction);
    }
  return looks && has_exit_on_observation(cycle, observed);
}

void find_latches(const llvm::Cycle& cycle, llvm::UniformityInfo& observed, llvm::SmallVectorImpl<llvm::BasicBlock*>& found) {
  if (only_looks(cycle, observed)) {
    for (llvm::BasicBlock* before : llvm::predecessors(cycle.getHeader()))
      if (cycle.contains(before) && !llvm::is_contained(found, before)) found.push_back(before);
    return;
  }
  for (const llvm::Cycle* inner : cycle.children()) find_latches(*inner, observed, found);
}

/// Whether `asks` is true of a function that `function` calls, or of one that such calls: what stays a call (kept_calls.h) is not looked
/// into further.
bool any_called(const llvm::Function& function, bool (*asks)(const llvm::Function&), llvm::SmallPtrSetImpl<const llvm::Function*>& seen) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration() || !seen.insert(callee).second) return false;
    return asks(*callee) || any_called(*callee, asks, seen);
  });
}

/// The analysis managers take a mutable function but do not change it.
bool has_waiting_loop(const llvm::Function& function) { return !waiting_latches(const_cast<llvm::Function&>(function)).empty(); }

}  // namespace

bool groups_may_wait(const llvm::Function& kernel) {
  llvm::SmallPtrSet<const llvm::Function*, 8> seen;
  if (any_called(kernel, observes, seen)) return true;
  if (!observes(kernel)) return false;
  bool waits = false;
  for_each_cycle(const_cast<llvm::Function&>(kernel), observes_others, [&](const llvm::Cycle& cycle, llvm::UniformityInfo& observed) {
    waits = waits || has_exit_on_observation(cycle, observed);
  });
  return waits || has_waiting_loop(kernel);
}

llvm::SmallVector<llvm::BasicBlock*, 4> waiting_latches(llvm::Function& function) {
  llvm::SmallVector<llvm::BasicBlock*, 4> found;
  if (!observes(function)) return found;
  for_each_cycle(function, may_observe_others,
                 [&](const llvm::Cycle& cycle, llvm::UniformityInfo& observed) { find_latches(cycle, observed, found); });
  return found;
}

bool waits_for_groups(const llvm::Function& kernel) {
  llvm::SmallPtrSet<const llvm::Function*, 8> seen;
  return has_waiting_loop(kernel) || any_called(kernel, has_waiting_loop, seen);
}

}  // namespace weft::compiler::simt
