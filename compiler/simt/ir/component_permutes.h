// shuffle() of OpenCL C with a mask that is known at run time: a primitive until widening knows what the processor permutes.
//
//   <n x T> __weft_permute_<T><n>(<n x T> x, <n x U> mask)     component i is number mask[i] mod n of x; U: integers as wide as T
//
// Masks of constants make a shufflevector of it (fold_component_permutes).
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// What their names begin with.
inline constexpr llvm::StringLiteral kComponentPermute = "__weft_permute_";

bool is_component_permute(const llvm::Value& value);

/// Its result for one work-item.
llvm::Value* permuted_components(llvm::IRBuilderBase& builder, llvm::Value* x, llvm::Value* mask);

/// Component `mask` mod n of `components`, n of them, a power of two: a select for each but the first. `mask` and these are vectors of lanes.
llvm::Value* component_by_number(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> components, llvm::Value* mask);

/// Shuffles of constant masks in the place of calls that have one.
void fold_component_permutes(llvm::Function& function);

/// permuted_components in the place of all calls, in a module that is not widened.
void expand_component_permutes(llvm::Module& module);

}  // namespace weft::compiler::simt
