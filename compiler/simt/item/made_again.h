// Values that code may make once more where it needs them.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace weft::compiler::simt {

/// Whether `value` follows from arguments, ids and what a launch says of itself alone, by operations that have no effect.
bool can_make_again(const llvm::Value& value);

/// `value`, for which can_make_again holds, made at the builder's place; `made` has what was made there before.
llvm::Value* make_again(llvm::Value& value, llvm::IRBuilder<>& builder, llvm::ValueToValueMapTy& made);

}  // namespace weft::compiler::simt
