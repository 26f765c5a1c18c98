// Variables of a program in global memory (OpenCL C 3.0 §6.7.3): one block of memory a program, which all of its kernels share.
#pragma once

#include "compiler/compiler_api.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// What the block holds before the first launch. Fails for an initial value that is known to no one before the code is loaded.
/// Places follow from the list of the module's variables alone, which the program keeps.
llvm::Expected<ProgramMemory> describe_program_memory(const llvm::Module& module);

/// Whether `function` names a variable of the program, directly or inside constants.
bool uses_program_memory(const llvm::Function& function);

/// Replaces `function`'s uses of the program's variables with offsets from `base`, a `ptr addrspace(1)` whose definition in the
/// entry block dominates the rest of `function`.
void lower_program_variables(llvm::Function& function, llvm::Value& base);

}  // namespace weft::compiler::simt
