// Operations on vectors that do to each component what others do to numbers, or to fewer components.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

namespace weft::compiler::simt {

/// Whether `instruction` is an operation or an intrinsic function that does the same to each component of vectors, whatever that is: no
/// division of integers, which could trap, and none with an operand that all components share.
bool is_componentwise(const llvm::Instruction& instruction);

/// What `like`, which is_componentwise(), or a conversion or a select, does, of `operands`, as `type`; with its flags.
llvm::Value* same_of_vectors(llvm::IRBuilder<>& builder, const llvm::Instruction& like, llvm::ArrayRef<llvm::Value*> operands,
                             llvm::Type& type);

}  // namespace weft::compiler::simt
