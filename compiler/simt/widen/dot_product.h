// Sums of products of the elements of words, by the processor's instructions for them.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/target/vectors.h"

namespace weft::compiler::simt {

/// The sum and the products of the elements of `a` and `b`, as the primitive `name` (primitive::kDot) says: of one word, or of a vector of
/// words, as many as fill registers. Bytes that the processor does not multiply as such are numbers of 16 bits first, the even ones of a
/// word and the odd ones, whose products are added two by two.
llvm::Value* dot_product(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Value* a, llvm::Value* b, llvm::Value* sum,
                         const VectorTraits& traits);

}  // namespace weft::compiler::simt
