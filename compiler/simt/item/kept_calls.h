// Which functions of a program stay calls, where inlining all of them makes kernels too large to compile.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// Marks functions of `module` that stay calls. Where a kernel would have more than `most` instructions, those are all functions of
/// some length that it reaches and that no lane can notice to run for one lane after the other: they write private memory alone,
/// and ask nothing of the work-item or the warp. `module` is linked and retargeted, and has no recursion.
void keep_calls_of_large_kernels(llvm::Module& module, unsigned most);

/// Marked by keep_calls_of_large_kernels: such a function, and a kernel that is large.
bool is_kept_call(const llvm::Function& function);
bool keeps_calls(const llvm::Function& kernel);

/// Inlines what `kernel` calls of such functions, and they of others: for the other kernels of a program that has a large one.
void inline_kept_calls(llvm::Function& kernel);

}  // namespace weft::compiler::simt
