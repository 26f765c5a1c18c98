// Runs compiler work on a thread with a deep stack and keeps LLVM's fatal errors from ending the process.
#pragma once

#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft::compiler::support {

/// Runs `work` to its end on a thread of its own (256 MiB of address space for its stack: Clang and LLVM
/// recurse with the depth of expressions and of control flow). False with `error` set when LLVM reported a
/// fatal error, memory ran out, `work` threw, or no thread could be started. Whatever a failed `work` held
/// leaks: LLVM is built without cleanups.
bool run_on_deep_thread(llvm::function_ref<void()> work, std::string& error);

}  // namespace weft::compiler::support
