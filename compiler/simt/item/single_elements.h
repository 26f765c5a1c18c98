// Vector arithmetic of which one element is used, as scalar arithmetic.
//
// InstCombine makes a vector's product of `dot(a, b)`, whose first element it takes, and adds the others by fma. Widened, such a product is
// four of vectors as memory holds them, which are then taken apart a second time.
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler::simt {

/// Legal everywhere. Worth it where the operands are made of elements, or taken apart for other uses, too; others stay.
struct SingleElementsPass : llvm::PassInfoMixin<SingleElementsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler::simt
