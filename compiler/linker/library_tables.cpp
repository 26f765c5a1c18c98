#include "compiler/linker/library_tables.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler::linker {

void choose_tables(llvm::Module& module, bool has_tables) {
  llvm::Function* asked = module.getFunction("__weft_has_tables");
  if (!asked) return;
  llvm::SetVector<llvm::Function*> functions;
  for (llvm::User* user : llvm::make_early_inc_range(asked->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    functions.insert(call->getFunction());
    const llvm::WeakVH left(call);
    llvm::replaceAndRecursivelySimplify(call, llvm::ConstantInt::getBool(call->getType(), has_tables));
    if (left) call->eraseFromParent();
  }
  for (llvm::Function* function : functions) {
    for (llvm::BasicBlock& block : *function) llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    llvm::EliminateUnreachableBlocks(*function);
  }
  asked->eraseFromParent();
}

}  // namespace weft::compiler::linker
