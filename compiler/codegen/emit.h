// Machine code.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::codegen {

enum class FileKind { kObject, kAssembly };

/// Machine code of `module`, which it strips of source lines. Fails when something is left that nothing defines.
llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, llvm::TargetMachine& machine, FileKind kind);

}  // namespace weft::compiler::codegen
