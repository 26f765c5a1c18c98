// LLVM's loop vectorizer, for functions of one lane alone.
//
// Widened code is as wide as it should be. What one lane does alone, along a row of its own (simt/memory/turned_rows.h), is not.
#pragma once

namespace llvm {
class Function;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::codegen {

/// Vectorizes the innermost loops of `function`, with the processor's costs.
void vectorize_rows(llvm::Function& function, llvm::TargetMachine& machine);

}  // namespace weft::compiler::codegen
