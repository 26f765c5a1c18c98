// Lowers one work-item's printf to a call of the engine's service.
//
// `printf(format, arguments...)` becomes stores of the arguments to a private buffer, in the layout that
// abi::Services::print wants, and `call void @__weft_print(ptr launch, ptr format, ptr buffer, i32 size)`.
// Its result is 0: a full output buffer is not reported (OpenCL C 3.0 §6.15.14 has 0 for success).
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// Lowers every call of printf in `item`, whose first argument is the launch. Defines `__weft_print` in `module`
/// as noinline, so that the widener calls it for one lane after the other.
void lower_printf(llvm::Module& module, llvm::Function& item);

}  // namespace weft::compiler::simt
