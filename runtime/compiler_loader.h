// The compiler's shared object: loaded at the first build or launch that misses the cache, never before.
#pragma once

#include <string>

#include "compiler/compiler_api.h"
#include "runtime/error.h"
#include "runtime/hash.h"

namespace weft::runtime {

/// Why nothing can be compiled in this process. Said on stderr once.
struct NoCompiler : Error {
  /// There is a compiler, but it refuses the options: what is to be built fails, as with an error in its source. Else
  /// there is none of this version, and `code` is CL_COMPILER_NOT_AVAILABLE.
  bool refuses_options;
  std::string text;  ///< a line for a build log
};

/// The folder that libweft.so lies in, with what belongs to it.
std::string folder_of_this_library();

/// The compiler, in a process of its own (compiler_process.h) where one can be had and WEFT_COMPILER_PROCESS does not forbid it.
/// Throws NoCompiler.
const compiler::Api& compiler_api();

/// Whether the compiler reads SPIR-V: it does with its translator beside it.
bool reads_spirv();

/// Names the installed compiler, its builtins, the host's instruction set and whatever of the environment
/// changes its results, without loading it: part of every cache key and of program binaries.
const Hash& compiler_identity();

}  // namespace weft::runtime
