// The whole way: objects to a program, a kernel of it to machine code. Runs the passes of passes.def.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/compiler_api.h"
#include "compiler/passes/pass_control.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace weft::compiler::pipeline {

struct Compilation;

/// Runs all passes of `scope`, in order, until the one to stop after.
llvm::Error run_passes(passes::Scope scope, Compilation& compilation);

/// Links `module`, which the front end made, with the builtins and makes it fit for the passes of a kernel.
llvm::Error make_program(llvm::Module& module, passes::PassControl& control);

/// The part of `program` (bitcode made by link()) that `kernel` needs. Other kernels are not even read.
llvm::Expected<std::unique_ptr<llvm::Module>> extract_kernel(const Bytes& program, llvm::StringRef kernel,
                                                             llvm::LLVMContext& context);

/// Api::link and Api::generate, without the thread and the exception barrier around them.
LinkResult link(const std::vector<const Bytes*>& objects, const std::string& options, bool create_library,
                bool* invalid_options, const passes::PassOptions& pass_options);
GenerateResult generate(const Bytes& program, const std::string& kernel, const Specialization& specialization,
                        passes::PassControl& control);

}  // namespace weft::compiler::pipeline
