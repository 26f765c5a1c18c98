#include "compiler/simt/ir/primitive_calls.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace weft::compiler::simt {

llvm::CallInst* call_primitive(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type& type) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  auto* callee = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, llvm::FunctionType::get(&type, false)).getCallee());
  callee->setDoesNotAccessMemory();
  callee->setDoesNotThrow();
  callee->setWillReturn();
  llvm::CallInst* call = builder.CreateCall(callee);
  call->setCallingConv(callee->getCallingConv());
  return call;
}

}  // namespace weft::compiler::simt
