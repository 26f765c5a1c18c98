// The OpenCL C library's bitcode, weft-builtins.bc, which lies beside the compiler.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "llvm/Support/Error.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace weft::compiler::codegen {

/// The library in `context`, function bodies still unread. Each call makes a module of its own from the one
/// buffer, which is mapped at the first call and kept.
llvm::Expected<std::unique_ptr<llvm::Module>> load_builtins(llvm::LLVMContext& context);

/// Hash of the library's bytes; 0 when it cannot be read.
std::uint64_t builtins_hash();

/// Folder of the shared object (or executable) that holds this code.
std::string own_folder();

}  // namespace weft::compiler::codegen
