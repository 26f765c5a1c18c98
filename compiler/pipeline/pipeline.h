// The pipeline: makes a program from objects, and machine code from a kernel. Runs the passes of passes.def.
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

/// Links `module`, made by the front end, with the builtins and prepares it for the kernel passes.
llvm::Error make_program(llvm::Module& module, passes::PassControl& control);

/// The part of `program` (bitcode made by link()) that `kernel` needs. Does not even read other kernels.
llvm::Expected<std::unique_ptr<llvm::Module>> extract_kernel(const Bytes& program, llvm::StringRef kernel,
                                                             llvm::LLVMContext& context);

/// Api::link, Api::build, Api::describe and Api::generate, without the thread and the exception barrier around them.
LinkResult link(const std::vector<const Bytes*>& objects, const std::string& options, bool create_library,
                bool* invalid_options, const passes::PassOptions& pass_options);
LinkResult build(const std::string& source, const std::string& options, bool line_tables, bool* invalid_options,
                 const passes::PassOptions& pass_options);
LinkResult describe(const Bytes& program);
GenerateResult generate(const Bytes& program, const std::string& kernel, const Specialization& specialization,
                        passes::PassControl& control);

}  // namespace weft::compiler::pipeline
