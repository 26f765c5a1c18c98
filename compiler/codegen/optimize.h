// LLVM's ordinary optimizations and code generation, over widened code.
#pragma once

#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::codegen {

/// Function attributes of all definitions in `module`: the host's processor and vector width, no jump tables
/// (the loader needs fewer relocations), no frame pointers.
void set_code_attributes(llvm::Module& module, const llvm::TargetMachine& machine);

/// Simplifies every function definition: redundancy, dead stores, invariants, instruction combining. Neither
/// vectorizer runs: the code is as wide as it should be.
void optimize(llvm::Module& module, llvm::TargetMachine& machine);

enum class FileKind { kObject, kAssembly };

/// Machine code of `module`, which is left in a state of no use. Fails where something is called that the module does
/// not define.
llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, llvm::TargetMachine& machine,
                                                FileKind kind);

}  // namespace weft::compiler::codegen
