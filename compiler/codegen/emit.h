// Emits machine code.
#pragma once

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::codegen {

enum class FileKind { kObject, kAssembly };

struct MachineCode {
  llvm::SmallVector<char, 0> bytes;
  std::uint64_t stack_bytes = 0;  ///< of all functions together: what a call takes at most, as none is called twice at once
};

/// Returns the machine code of `module` and strips its source lines. Fails if `module` is incomplete: an undefined function
/// is used, or no group function was made.
llvm::Expected<MachineCode> emit(llvm::Module& module, llvm::TargetMachine& machine, FileKind kind);

}  // namespace weft::compiler::codegen
