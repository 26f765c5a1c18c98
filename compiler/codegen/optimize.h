// LLVM's ordinary optimizations and code generation, over widened code.
#pragma once

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::codegen {

/// Sets the host's processor and vector width, for which LLVM makes tables of costs and of what is legal. It makes them anew for functions
/// that say something else.
void set_processor(llvm::Function& function, const llvm::TargetMachine& machine);

/// Sets the attributes of all functions defined in `module`: the host's processor and vector width, no jump tables
/// (the loader needs fewer relocations), no frame pointers.
void set_code_attributes(llvm::Module& module, const llvm::TargetMachine& machine);

/// Removes what widening leaves behind: unused values, equal addresses, scalars in memory.
void clean_up(llvm::Module& module, llvm::TargetMachine& machine);

/// The same of large functions, in time linear in their size: variables stay in memory.
void clean_up_plainly(llvm::Module& module, llvm::TargetMachine& machine);

/// Removes redundancy and dead stores, hoists invariants and unrolls short loops. Expects code after clean_up(). Runs
/// neither vectorizer: the code is as wide as it should be.
void optimize(llvm::Module& module, llvm::TargetMachine& machine);

/// Erases what `root` does not reach: earlier forms of the kernel, its `__local` variables (now offsets).
void keep_only(llvm::Module& module, const llvm::Function& root);

}  // namespace weft::compiler::codegen
