// The compiler's steps, each looked up in the cache before the compiler is loaded.
#pragma once

#include <string>
#include <vector>

#include "compiler/fields.h"

namespace weft::runtime {

/// The outcome of a step.
struct BuildResult {
  bool ok = false;
  std::string log;
  compiler::Bytes bitcode;                    ///< an object, a library or a linked program
  std::vector<compiler::KernelInfo> kernels;  ///< of a linked program
  compiler::ProgramMemory memory;             ///< of a linked program
};
WEFT_FIELDS(BuildResult, ok, log, bitcode, kernels, memory)

/// The options must be well-formed (compiler/frontend/options.h). All throw NoCompiler if
/// the compiler is needed and there is none.
BuildResult compile(const std::string& source, const std::vector<compiler::Header>& headers,
                    const std::string& options);
BuildResult compile_and_link(const std::string& source, const std::string& options);
/// The same of a SPIR-V module.
BuildResult translate(const compiler::Bytes& module, const std::vector<compiler::SpecConstant>& constants, const std::string& options);
BuildResult translate_and_link(const compiler::Bytes& module, const std::vector<compiler::SpecConstant>& constants, const std::string& options);
/// A linked program that came from outside: with what the compiler, or the cache, finds its kernels to be.
BuildResult describe(const compiler::Bytes& program);
BuildResult link(const std::vector<const compiler::Bytes*>& objects, const std::string& options,
                 bool create_library);

}  // namespace weft::runtime
