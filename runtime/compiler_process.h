// The compiler in processes of its own: what a source does to it, it does not do to the program.
//
// A call takes a process that is idle, or starts one; as many run as calls at once, up to the processors. A process that ends
// in a call is the call's failure, with a log. What one keeps is its loaded code, so nothing is lost with it.
#pragma once

#include <optional>
#include <string>

#include "compiler/compiler_api.h"

namespace weft::runtime {

/// What became of the first process.
struct CompilerProcess {
  const compiler::Api* api = nullptr;  ///< its calls go to processes
  bool refuses_options = false;
  std::string error;  ///< why there is no compiler
};

/// Starts the first: `library` is the compiler. None if no process can be had here, as where a sandbox forbids it.
std::optional<CompilerProcess> start_compiler_process(const std::string& library, const compiler::Options& options);

/// For the end of the program: what Api::generate_ahead makes, and would make, fails at once.
void give_up_ahead() noexcept;

/// For the child of a fork: the processes are the parent's.
void lose_compiler_processes() noexcept;

}  // namespace weft::runtime
