#include "compiler/simt/ir/local_memory.h"

#include "compiler/simt/ir/address_spaces.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::simt {

PlacedVariables assign_local_globals(const llvm::Function& function) {
  const auto used = used_variables(function, kLocalSpace);
  return place_variables(*function.getParent(), [&](const llvm::GlobalVariable& variable) { return used.contains(&variable); });
}

}  // namespace weft::compiler::simt
