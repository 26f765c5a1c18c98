// Turns a kernel into its item function: what one work-item does, given the launch and the group.
//
// `spir_kernel void @k(args...)` becomes `i32 @k.item(ptr launch, ptr group)`, whose arguments are
// abi::LaunchInfo and abi::GroupInfo. Kernel arguments, `__local` variables and the work-item functions
// that are the same for a whole group become loads through the two, in the entry block; the local and
// global ids stay calls (each lane has its own; the widener lowers them), with ranges where known.
// The result is the next region to run, or -1 (the only one before split_regions) if the work-item has finished.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// Moves the body of `kernel` to the new `<kernel>.item`, with internal linkage. Erases `kernel`, or leaves it
/// a declaration if something still names it. All calls except those of primitives, printf and intrinsics must
/// be inlined already.
llvm::Function* lower_args(llvm::Module& module, llvm::Function& kernel,
                           const Specialization& specialization);

}  // namespace weft::compiler::simt
