// LLVM's ordinary optimizations and code generation, over widened code.
#pragma once

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::codegen {

/// Function attributes of all definitions in `module`: the host's processor and vector width, no jump tables
/// (the loader needs fewer relocations), no frame pointers.
void set_code_attributes(llvm::Module& module, const llvm::TargetMachine& machine);

/// What widening leaves behind: values that nobody uses, equal addresses, scalars in memory.
void clean_up(llvm::Module& module, llvm::TargetMachine& machine);

/// Redundancy, dead stores, invariants, short loops unrolled. To be run on clean code. Neither vectorizer runs: the code is
/// as wide as it should be.
void optimize(llvm::Module& module, llvm::TargetMachine& machine);

/// Erases what `root` does not reach: the kernel's earlier shapes, its `__local` variables (now offsets).
void keep_only(llvm::Module& module, const llvm::Function& root);

}  // namespace weft::compiler::codegen
