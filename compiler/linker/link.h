// Objects to a program: linked with the builtins, checked, made fit for the warp compiler.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/compiler_api.h"
#include "llvm/Support/Error.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace weft::compiler::linker {

/// One module of all `objects` (bitcode), spir64 still. Null with the linker's words in `log` when a symbol
/// is defined twice or an object is not ours: each is verified.
std::unique_ptr<llvm::Module> link_objects(const std::vector<const Bytes*>& objects,
                                           llvm::LLVMContext& context, std::string& log);

/// The same for an object that the front end has just made, as a module: whether it is whole. What LLVM says of it from now on goes to
/// `log`, which must live as long as its context.
bool check_object(llvm::Module& module, std::string& log);

/// Links the builtins that `module` needs. Fails when functions remain that nothing defines (names them), or
/// when functions call each other in a circle (OpenCL C 3.0 §6.12: recursion is not supported).
llvm::Error link_builtins(llvm::Module& module);

/// Gives `module` the host's triple and data layout, plain calling conventions, and internal linkage
/// to all but the kernels, which keep the spir_kernel convention as their mark. Kernels that are called get a
/// copy for their callers.
void retarget(llvm::Module& module);

/// `error`'s text as a line of a build log.
std::string to_log(llvm::Error error);

}  // namespace weft::compiler::linker
