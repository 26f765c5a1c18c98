// SPIR-V to LLVM bitcode of the kind that the OpenCL C front end makes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/compiler_api.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace weft::compiler::spirv {

/// Validates and translates `bytes`. The module targets spir64 and is unlinked and not optimized. Null on error, which `log` tells.
std::unique_ptr<llvm::Module> translate_to_module(const Bytes& bytes, const std::vector<SpecConstant>& constants, llvm::LLVMContext& context,
                                                  std::string& log);

/// Api::translate, without the thread and the exception barrier around it.
CompileResult translate(const Bytes& module, const std::vector<SpecConstant>& constants, const std::string& options, bool* invalid_options);

}  // namespace weft::compiler::spirv
