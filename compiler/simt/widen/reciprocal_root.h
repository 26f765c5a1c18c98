// 1/sqrt(x) by the processor's estimate, where that is much less work than a root and a division.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace llvm {
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// 1/sqrt(x), right to 2 ulp for every x, of a float or double or a vector of them (`x` has a multiple of 16 lanes).
/// `vector_bits` is the width of the processor's vectors if it has AVX-512's estimates, or else 0. A lane's result does
/// not depend on the width.
llvm::Value* reciprocal_root(llvm::IRBuilderBase& builder, llvm::Value* x, unsigned vector_bits);

/// 1/sqrt(x) (1 + d), |d| < 2^-14, by AVX-512's instructions; `vector_bits` as above, and not 0.
llvm::Value* reciprocal_root_estimate(llvm::IRBuilderBase& builder, llvm::Value* x, unsigned vector_bits);

/// Puts it in place of all calls of the primitive in a module that is not widened.
void expand_reciprocal_roots(llvm::Module& module, unsigned vector_bits);

}  // namespace weft::compiler::simt
