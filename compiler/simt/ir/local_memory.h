// Assigns static `__local` variables their places in GroupInfo::local_memory.
#pragma once

#include "compiler/simt/ir/placed_variables.h"

namespace weft::compiler::simt {

/// The places of the `__local` variables that `function` uses, directly or through constants; their size is KernelInfo::local_bytes.
/// Calls must be inlined already.
PlacedVariables assign_local_globals(const llvm::Function& function);

}  // namespace weft::compiler::simt
