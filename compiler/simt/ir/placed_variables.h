// A module's variables that lie in a block of memory which code is given: local memory, a program's variables.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

struct PlacedVariable {
  llvm::GlobalVariable* variable = nullptr;
  std::uint64_t offset = 0;  ///< bytes from the block's begin
};

struct PlacedVariables {
  std::vector<PlacedVariable> variables;  ///< in the module's order
  std::uint64_t bytes = 0;                ///< of the block
};

/// Those of address space `space` that `function`'s instructions name, directly or inside constants. What a variable's own
/// initial value names does not count.
llvm::SmallPtrSet<const llvm::GlobalVariable*, 8> used_variables(const llvm::Function& function, unsigned space);

/// Gives each variable that is `wanted` an offset aligned to its own alignment, at least 16 bytes.
PlacedVariables place_variables(const llvm::Module& module, llvm::function_ref<bool(const llvm::GlobalVariable&)> wanted);

/// Replaces `function`'s uses of the variables with offsets from `base`, a pointer of their address space whose definition in the
/// entry block dominates the rest of `function`.
void replace_variables(llvm::Function& function, llvm::Value& base, const PlacedVariables& placed);

}  // namespace weft::compiler::simt
