// LLVM's unroller for small loops alone.
//
// It sums up what each instruction of a loop costs before it looks at a bound, and up to twice more to see what of an iteration would fold.
// Of operations on hundreds of lanes that takes long: LLVM 19 adds up what it costs to take vectors apart, an element at a time, even of
// those that the processor has whole. Large loops are not worth the question.
#pragma once

#include "llvm/IR/PassManager.h"

namespace weft::compiler::codegen {

/// llvm::LoopUnrollPass without peeling. Loops that it is not shown keep their metadata.
class UnrollPass : public llvm::PassInfoMixin<UnrollPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler::codegen
