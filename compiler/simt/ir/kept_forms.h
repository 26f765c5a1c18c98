// Code that LLVM leaves in the form that it has.
#pragma once

namespace llvm {
class BranchInst;
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// `one` where `condition` holds, else `other`: a choice that LLVM makes no branch of, as it does where it thinks that it is foreseen.
llvm::Value* kept_choice(llvm::IRBuilderBase& builder, llvm::Value* condition, llvm::Value* one, llvm::Value* other);

/// Has LLVM leave the loop that `back` goes back in rolled up.
void keep_rolled(llvm::BranchInst& back);

}  // namespace weft::compiler::simt
