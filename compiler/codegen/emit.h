// Emits machine code.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::codegen {

enum class FileKind { kObject, kAssembly };

/// Returns the machine code of `module` and strips its source lines. Fails if `module` is incomplete: an undefined function
/// is used, or no group function was made.
llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, llvm::TargetMachine& machine, FileKind kind);

}  // namespace weft::compiler::codegen
