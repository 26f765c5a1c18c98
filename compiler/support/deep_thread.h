// Runs compiler work on a thread with a deep stack and keeps LLVM's fatal errors from ending the process.
#pragma once

#include <cstddef>
#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft::compiler::support {

inline constexpr std::size_t kStackBytes = std::size_t{256} << 20;

/// Bytes that the calling thread has taken of such a stack; 0 on another thread.
std::size_t stack_used();

/// Runs `work` to its end on a thread of its own (256 MiB of address space for its stack: Clang and LLVM
/// recurse with the depth of expressions and of control flow). False with `error` set when LLVM reported a
/// fatal error, memory ran out, `work` threw, or no thread could be started. Whatever a failed `work` held
/// leaks: after a fatal error the thread leaves LLVM's frames by a jump, as nothing may be thrown through them.
bool run_on_deep_thread(llvm::function_ref<void()> work, std::string& error);

}  // namespace weft::compiler::support
