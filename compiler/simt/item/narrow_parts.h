// Parts of words, as numbers of their own width side by side.
#pragma once

#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/IRBuilder.h"

namespace weft::compiler::simt {

/// `value`, whose elements are below 2^bits, with elements of `bits`. Bytes or halves of words, as the functions of images take them out
/// of texels, are the words themselves, cast.
llvm::Value* narrow_parts(llvm::IRBuilder<llvm::InstSimplifyFolder>& builder, llvm::Value& value, unsigned bits);

}  // namespace weft::compiler::simt
