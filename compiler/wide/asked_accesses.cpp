#include "compiler/wide/asked_accesses.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler::wide {

llvm::Value* accessed_pointer(llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->getPointerOperand();
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->hasMetadata(llvm::LLVMContext::MD_nontemporal) ? nullptr : store->getPointerOperand();
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      call && call->getIntrinsicID() == llvm::Intrinsic::masked_load && !llvm::isa<llvm::IntrinsicInst>(call->getArgOperand(3)))
    return call->getArgOperand(0);
  return nullptr;
}

bool is_of_worker(const llvm::Value& pointer, const llvm::Function& function) {
  const llvm::Value* object = llvm::getUnderlyingObject(&pointer);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(object)) object = llvm::getUnderlyingObject(load->getPointerOperand());
  return llvm::isa<llvm::AllocaInst>(object) || (function.arg_size() > 1 && object == function.getArg(1));
}

}  // namespace weft::compiler::wide
