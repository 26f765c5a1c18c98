// Which functions of a program stay calls, where inlining all of them makes kernels too large to compile.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// Marks functions of `module` that stay calls. Where a kernel would have more than `most` instructions, those are all functions of
/// some length that it reaches and that no lane can notice to run for one lane after the other: they write private memory alone,
/// and ask nothing of the work-item or the warp. Where it would have many times that even so, which no time is enough to compile, they may
/// write any memory and ask for ids and sizes (asked_values.h): OpenCL lets work-items run one after the other between barriers, and in such
/// functions they do. `module` is linked
/// and retargeted, and has no recursion.
void keep_calls_of_large_kernels(llvm::Module& module, unsigned most);

/// Marked by keep_calls_of_large_kernels: such a function, and a kernel that is large.
bool is_kept_call(const llvm::Function& function);
bool keeps_calls(const llvm::Function& kernel);
/// A kernel whose kept calls may write memory that lanes share. Required passes alone rely on nothing that such a call could change.
bool keeps_shared_calls(const llvm::Function& kernel);

/// Inlines what `kernel` calls of such functions, and they of others: for the other kernels of a program that has a large one.
void inline_kept_calls(llvm::Function& kernel);

}  // namespace weft::compiler::simt
