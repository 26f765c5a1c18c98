// One kernel of a program to machine code, for one specialization.
#pragma once

#include <memory>

#include "compiler/compiler_api.h"
#include "compiler/simt/pass_control.h"
#include "compiler/simt/pipeline.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::codegen {

/// The part of `program` (bitcode made by link()) that `kernel` needs. Other kernels are not even read.
llvm::Expected<std::unique_ptr<llvm::Module>> extract_kernel(const Bytes& program, llvm::StringRef kernel,
                                                             llvm::LLVMContext& context);

/// Widens `kernel` and optimizes the result; `module` is then ready for emit(). Passes: those of
/// build_group_function(), then `optimize`.
llvm::Expected<simt::GroupCode> make_group_function(llvm::Module& module, llvm::StringRef kernel,
                                                    const Specialization& specialization,
                                                    llvm::TargetMachine& machine, simt::PassControl& control);

/// Api::generate, without the thread and the exception barrier around it.
GenerateResult generate(const Bytes& program, const std::string& kernel, const Specialization& specialization,
                        simt::PassControl& control);

}  // namespace weft::compiler::codegen
