// What each build of a fuzzed program must be.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "compiler/compiler_api.h"
#include "runtime/build.h"

namespace weft::fuzz {

/// Whether there is a program; else there is a reason. Ends the process where kernels' arguments overlap or lie outside.
inline bool is_sound(const runtime::BuildResult& built) {
  if (!built.ok) {
    if (built.log.empty()) std::abort();
    return false;
  }
  for (const compiler::KernelInfo& kernel : built.kernels) {
    std::uint64_t end = 0;
    for (const compiler::KernelArg& argument : kernel.args) {
      if (argument.offset < end) std::abort();
      end = std::uint64_t{argument.offset} + argument.size;
    }
    if (end > kernel.argument_bytes) std::abort();
  }
  return true;
}

}  // namespace weft::fuzz
