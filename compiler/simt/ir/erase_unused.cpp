#include "compiler/simt/ir/erase_unused.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {

void erase_unused(llvm::Value& value) {
  llvm::SmallSetVector<llvm::Instruction*, 32> unused;
  const auto add = [&](llvm::Value* made) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(made)) unused.insert(instruction);
  };
  add(&value);
  while (!unused.empty()) {
    llvm::Instruction* next = unused.pop_back_val();
    const bool is_load = llvm::isa<llvm::LoadInst>(next) && is_plain_access(*next);
    if (!next->use_empty() || !(is_load || llvm::wouldInstructionBeTriviallyDead(next))) continue;
    for (llvm::Value* operand : next->operands()) add(operand);
    next->eraseFromParent();
  }
}

}  // namespace weft::compiler::simt
