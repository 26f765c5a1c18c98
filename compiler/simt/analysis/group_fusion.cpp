#include "compiler/simt/analysis/group_fusion.h"

#include <llvm/ADT/GenericCycleImpl.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/sub_groups.h"

namespace weft::compiler::simt {
namespace {

/// True for a read that the program made atomic or volatile: another work-item may have written its value meanwhile.
bool observes_others(const llvm::Value& value) {
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value)) return true;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (!load) return false;
  return load->isAtomic() || (load->isVolatile() && !load->hasMetadata(primitive::kNonVolatileMetadata));
}

/// Makes observations of other work-items the sources that LLVM's uniformity analysis follows through data and control
/// flow: "divergent" means dependent on one.
class ObservationTarget : public llvm::TargetTransformInfoImplCRTPBase<ObservationTarget> {
 public:
  explicit ObservationTarget(const llvm::DataLayout& layout) : TargetTransformInfoImplCRTPBase(layout) {}
  bool hasBranchDivergence(const llvm::Function* = nullptr) const { return true; }
  bool isSourceOfDivergence(const llvm::Value* value) const { return observes_others(*value); }
  bool isAlwaysUniform(const llvm::Value*) const { return false; }
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

bool has_waiting_loop(llvm::Function& kernel) {
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses.registerPass([] { return llvm::CycleAnalysis(); });
  analyses.registerPass([] { return llvm::UniformityInfoAnalysis(); });
  analyses.registerPass([] {
    return llvm::TargetIRAnalysis([](const llvm::Function& function) {
      return llvm::TargetTransformInfo(ObservationTarget(function.getDataLayout()));
    });
  });
  llvm::UniformityInfo& observed = analyses.getResult<llvm::UniformityInfoAnalysis>(kernel);
  for (const llvm::Cycle* cycle : analyses.getResult<llvm::CycleAnalysis>(kernel).toplevel_cycles())
    if (has_exit_on_observation(*cycle, observed)) return true;
  return false;
}

/// Whether a function observes others that `function` calls, or one that such calls: what stays a call (kept_calls.h) is not looked into further.
bool calls_observe(const llvm::Function& function, llvm::SmallPtrSetImpl<const llvm::Function*>& seen) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration() || !seen.insert(callee).second) return false;
    return llvm::any_of(llvm::instructions(*callee), observes_others) || calls_observe(*callee, seen);
  });
}

bool is_local(const llvm::Value& value) {
  return value.getType()->isPointerTy() && value.getType()->getPointerAddressSpace() == kLocalSpace;
}

}  // namespace

bool groups_may_wait(const llvm::Function& kernel) {
  llvm::SmallPtrSet<const llvm::Function*, 8> seen;
  if (calls_observe(kernel, seen)) return true;
  const bool observes = llvm::any_of(llvm::instructions(kernel), observes_others);
  // The analysis managers take a mutable function but do not change it.
  return observes && has_waiting_loop(const_cast<llvm::Function&>(kernel));
}

bool has_group_state(const llvm::Function& kernel) {
  return llvm::any_of(kernel.args(), is_local) || llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    return llvm::any_of(instruction.operands(), [](const llvm::Use& operand) { return is_local(*operand); }) ||
           is_barrier(instruction) || sub_group_call(instruction);
  });
}

bool asks_for_launch_alone(const llvm::Function& item) {
  return !has_group_state(item) && item.getArg(1)->use_empty() && llvm::none_of(llvm::instructions(item), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && !llvm::isa<llvm::IntrinsicInst>(call) && !called_name(*call).starts_with(primitive::kGlobalId);
  });
}

}  // namespace weft::compiler::simt
