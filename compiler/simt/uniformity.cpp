#include "compiler/simt/uniformity.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>

namespace weft::compiler::simt {
namespace {

/// What the unroller may make of a loop that indexes a private array, in its units (instructions, about): worth
/// much, for with constant indices the array becomes registers.
constexpr unsigned kPrivateUnrollThreshold = 2700;
constexpr std::uint64_t kMaxRegisterArray = 1024;  // bytes of a work-item

bool indexes_private_array(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (!address || address->getAddressSpace() != 0 || address->hasAllConstantIndices()) continue;
      const auto* array = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(address));
      if (!array || !array->isStaticAlloca()) continue;
      const auto size = array->getAllocationSize(block->getDataLayout());
      if (!size || size->getFixedValue() > kMaxRegisterArray) continue;
      for (const llvm::Use& index : address->indices())
        if (const auto* value = llvm::dyn_cast<llvm::Instruction>(index); value && loop.contains(value)) return true;
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
  void getUnrollingPreferences(llvm::Loop* loop, llvm::ScalarEvolution&, llvm::TargetTransformInfo::UnrollingPreferences& preferences,
                               llvm::OptimizationRemarkEmitter*) const {
    preferences.Partial = preferences.Runtime = preferences.UpperBound = false;
    if (indexes_private_array(*loop)) preferences.Threshold = kPrivateUnrollThreshold;
  }
};

/// Private memory is a lane's own; memory reached from the launch or the group is everyone's.
bool points_to_private(const llvm::Value& pointer) {
  if (pointer.getType()->getPointerAddressSpace() != 0) return false;
  const llvm::Value* object = llvm::getUnderlyingObject(&pointer, 0);
  if (llvm::isa<llvm::Argument>(object) || llvm::isa<llvm::GlobalValue>(object)) return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(object)) return points_to_private(*load->getPointerOperand());
  return object->getType()->getPointerAddressSpace() == 0;
}

}  // namespace

llvm::StringRef called_name(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : llvm::StringRef();
}

std::uint64_t interleaved_unit(const llvm::Instruction& instruction) {
  const llvm::MDNode* mark = instruction.getMetadata(primitive::kInterleavedMetadata);
  return mark ? llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getZExtValue() : 0;
}

bool is_always_uniform(const llvm::Value& value) {
  const llvm::StringRef name = called_name(value);
  if (name == primitive::kAny || name == primitive::kAll) return true;
  return name.starts_with(primitive::kSlotLoad) &&
         llvm::cast<llvm::Instruction>(value).hasMetadata(primitive::kUniformMetadata);
}

bool is_source_of_divergence(const llvm::Value& value) {
  if (llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::AtomicRMWInst>(value) ||
      llvm::isa<llvm::AtomicCmpXchgInst>(value))
    return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) return points_to_private(*load->getPointerOperand());
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  if (!call || call->getType()->isVoidTy()) return false;
  if (is_always_uniform(value)) return false;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call)) return intrinsic->mayReadOrWriteMemory();
  return true;
}

llvm::TargetIRAnalysis divergence_target() {
  return llvm::TargetIRAnalysis([](const llvm::Function& function) {
    return llvm::TargetTransformInfo(SimtTargetInfo(function.getParent()->getDataLayout()));
  });
}

Analyses::Analyses() {
  // The first registration of an analysis wins, so ours stands in front of the PassBuilder's.
  functions_.registerPass([] { return divergence_target(); });
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules_);
  builder.registerCGSCCAnalyses(sccs_);
  builder.registerFunctionAnalyses(functions_);
  builder.registerLoopAnalyses(loops_);
  builder.crossRegisterProxies(loops_, functions_, sccs_, modules_);
}

}  // namespace weft::compiler::simt
