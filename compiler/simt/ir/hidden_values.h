// Values that LLVM knows nothing of.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>

namespace weft::compiler::simt {

/// `number`, an integer, in a register, whatever it is computed from: no fold sees through the result, and no instruction is made for it. (LLVM takes
/// a freeze of what is no poison away.)
inline llvm::Value* hidden(llvm::IRBuilderBase& builder, llvm::Value& number) {
  auto* type = llvm::FunctionType::get(number.getType(), {number.getType()}, false);
  return builder.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false), {&number}, "hidden");
}

}  // namespace weft::compiler::simt
