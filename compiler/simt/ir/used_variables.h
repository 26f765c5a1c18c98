// The variables of a module that a function names.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Function;
class GlobalVariable;
}  // namespace llvm

namespace weft::compiler::simt {

/// Those of address space `space` that `function`'s instructions name, directly or inside constants. What a variable's own
/// initial value names does not count.
llvm::SmallPtrSet<const llvm::GlobalVariable*, 8> used_variables(const llvm::Function& function, unsigned space);

}  // namespace weft::compiler::simt
