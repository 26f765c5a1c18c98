#include "compiler/simt/ir/used_variables.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"

namespace weft::compiler::simt {

llvm::SmallPtrSet<const llvm::GlobalVariable*, 8> used_variables(const llvm::Function& function, unsigned space) {
  llvm::SmallPtrSet<const llvm::GlobalVariable*, 8> found;
  llvm::SmallPtrSet<const llvm::Constant*, 32> seen;
  llvm::SmallVector<const llvm::Constant*, 32> pending;
  const auto visit = [&](const llvm::Value* value) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant && seen.insert(constant).second) pending.push_back(constant);
  };
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    for (const llvm::Value* operand : instruction.operands()) visit(operand);
    while (!pending.empty()) {
      const llvm::Constant* constant = pending.pop_back_val();
      if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
        if (variable->getAddressSpace() == space) found.insert(variable);
        continue;  // what an initial value names is not used by code
      }
      if (llvm::isa<llvm::GlobalValue>(constant)) continue;
      for (const llvm::Value* operand : constant->operands()) visit(operand);
    }
  }
  return found;
}

}  // namespace weft::compiler::simt
