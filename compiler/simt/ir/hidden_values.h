// Values that LLVM knows nothing of.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>

namespace weft::compiler::simt {

/// `value`, an integer or a vector of a register, in one, whatever it is computed from: no fold sees through the result, and no instruction is made for it.
/// (LLVM takes a freeze of what is no poison away.)
inline llvm::Value* hidden(llvm::IRBuilderBase& builder, llvm::Value& value) {
  auto* type = llvm::FunctionType::get(value.getType(), {value.getType()}, false);
  const char* place = value.getType()->isVectorTy() ? "=v,0" : "=r,0";
  return builder.CreateCall(type, llvm::InlineAsm::get(type, "", place, /*hasSideEffects=*/false), {&value}, "hidden");
}

}  // namespace weft::compiler::simt
