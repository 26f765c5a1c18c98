// 1/sqrt(x) by the processor's estimate, where that is much less work than a root and a division.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/target/vectors.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// The primitive `name` of kReciprocalRoot: 1/sqrt(x), right to 2 ulp, of a float or double or a vector of them (`x` has a multiple of 16 lanes). By AVX-512's
/// estimates of 14 bits, else a root and a division. `..._normal_f32`, which may be infinite for a denormal x, is by AVX's estimates of 12 bits where there are no
/// others, and products are fused with sums. A lane's result does not depend on the width.
llvm::Value* reciprocal_root(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Value* x, const VectorTraits& traits);

/// 1/sqrt(x) (1 + d), |d| < 2^-14, by AVX-512's instructions; `vector_bits` is VectorTraits::estimate_bits, and not 0.
llvm::Value* reciprocal_root_estimate(llvm::IRBuilderBase& builder, llvm::Value* x, unsigned vector_bits);

/// Puts it in place of all calls of the primitive in a module that is not widened.
void expand_reciprocal_roots(llvm::Module& module, const VectorTraits& traits);

}  // namespace weft::compiler::simt
