#include "compiler/simt/ir/kept_forms.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Metadata.h>

namespace weft::compiler::simt {

llvm::Value* kept_choice(llvm::IRBuilderBase& builder, llvm::Value* condition, llvm::Value* one, llvm::Value* other) {
  llvm::Value* chosen = builder.CreateSelect(condition, one, other);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(chosen))
    select->setMetadata(llvm::LLVMContext::MD_unpredictable, llvm::MDNode::get(builder.getContext(), {}));
  return chosen;
}

void keep_rolled(llvm::BranchInst& back) {
  llvm::LLVMContext& context = back.getContext();
  auto* plain = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  llvm::MDNode* id = llvm::MDNode::getDistinct(context, {nullptr, plain});
  id->replaceOperandWith(0, id);
  back.setMetadata(llvm::LLVMContext::MD_loop, id);
}

}  // namespace weft::compiler::simt
