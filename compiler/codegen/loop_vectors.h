// LLVM's loop vectorizer, for functions of one lane alone.
//
// Widened code is as wide as it should be. What one lane does alone is not: along a row of its own (simt/memory/turned_rows.h), or in a
// kernel whose groups are of one work-item and run by themselves.
#pragma once

namespace llvm {
class Function;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::codegen {

/// Vectorizes the innermost loops of `function`, with the processor's costs.
void vectorize_loops(llvm::Function& function, llvm::TargetMachine& machine);

/// Whether it would vectorize all innermost loops of `kernel`, linked and scalar-optimized, which has one at least; by a copy.
bool makes_vectors_of_all_loops(const llvm::Function& kernel, llvm::TargetMachine& machine);

}  // namespace weft::compiler::codegen
