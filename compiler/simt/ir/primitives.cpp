#include "compiler/simt/ir/primitives.h"

#include "compiler/simt/ir/component_permutes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler::simt {

bool is_kernel(const llvm::Function& function) {
  return !function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL;
}

bool is_queue_function(const llvm::Function& function) {
  return function.getName() == primitive::kEnqueue || function.getName() == primitive::kQueueCall;
}

bool is_arithmetic_primitive(const llvm::Value& value) {
  const llvm::StringRef name = called_name(value);
  return name.starts_with(primitive::kReciprocalRoot) || name.starts_with(primitive::kFloatPart) || name.starts_with(primitive::kDot) ||
         is_component_permute(value);
}

std::uint64_t interleaved_unit(const llvm::Instruction& instruction) {
  const llvm::MDNode* mark = instruction.getMetadata(primitive::kInterleavedMetadata);
  return mark ? llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0))->getZExtValue() : 0;
}

llvm::StringRef called_name(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : llvm::StringRef();
}

bool is_barrier(const llvm::Value& value) { return called_name(value) == primitive::kBarrier; }

llvm::CallInst* mask_call(llvm::BasicBlock& block) {
  for (llvm::Instruction& instruction : block)
    if (called_name(instruction) == primitive::kMask) return llvm::cast<llvm::CallInst>(&instruction);
  return nullptr;
}

}  // namespace weft::compiler::simt
