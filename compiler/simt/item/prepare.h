// Prepares a program's scalar IR for widening: inlines every call, promotes private variables to registers and
// pins accesses to memory that lanes share against one-lane reasoning.
#pragma once

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// Inlines every function of `module` into the kernels and drops what is then unused. `module` is linked and retargeted:
/// kernels have the spir_kernel convention, all else is internal. Kernels of more than `most_instructions` keep calls, as kept_calls.h
/// says. Fails if a call cannot be inlined.
llvm::Error inline_calls(llvm::Module& module, unsigned most_instructions, Analyses& analyses);

/// Fails if a kernel of `module` calls a function of it that should have been inlined.
llvm::Error check_inlined(const llvm::Module& module);

/// Copies by-value arguments to private variables and promotes private variables to registers.
void promote_privates(llvm::Function& kernel, Analyses& analyses);

/// Lane-safe scalar clean-up of a pinned function; runs again once the local size is known.
void simplify_kernel(llvm::Function& kernel, Analyses& analyses);

/// Makes every load, store and atomic of `function` on global and local memory volatile, and marks those that
/// were not, and all on local memory, with !weft.nonvolatile. The work-items of a warp run in lockstep and may load without a barrier what
/// another one stored, so passes that look at one lane must not drop, move or forward accesses. Constant memory
/// (read-only) and private memory (a lane's own) stay as they are.
void pin_shared_memory(llvm::Function& function);

/// Drops declarations that nothing names any more, memcpy and builtins among them.
void drop_unused_declarations(llvm::Module& module);

}  // namespace weft::compiler::simt
