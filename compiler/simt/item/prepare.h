// Scalar IR of a whole program made fit for widening: every call inlined, private variables in registers,
// and the accesses to memory that lanes share pinned against one-lane reasoning.
#pragma once

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// Inlines every function of `module` into the kernels; what is then unused goes. `module` is linked and retargeted: kernels have
/// the spir_kernel convention, all else is internal. Fails when a call remains that cannot be inlined.
llvm::Error inline_calls(llvm::Module& module, Analyses& analyses);

/// Private variables to registers; arguments by value to private copies.
void promote_privates(llvm::Function& kernel, Analyses& analyses);

/// Lane-safe scalar clean-up of a pinned function; again once the local size is known.
void simplify_kernel(llvm::Function& kernel, Analyses& analyses);

/// Makes every load, store and atomic of `function` on global and local memory volatile, and marks with
/// !weft.nonvolatile those that were not: the work-items of a warp run in lockstep, and what one of them
/// stores another may load without a barrier, so nothing may be dropped, moved or forwarded by looking at one
/// lane. Constant memory is read-only and private memory is a lane's own: both stay as they are.
void pin_shared_memory(llvm::Function& function);

/// Declarations that nothing names any more, memcpy and builtins among them.
void drop_unused_declarations(llvm::Module& module);

}  // namespace weft::compiler::simt
