// The compiler's shared object: loaded at the first build or launch that misses the cache, never before.
#pragma once

#include "compiler/compiler_api.h"
#include "runtime/hash.h"

namespace weft::runtime {

/// The compiler. Throws Error{CL_COMPILER_NOT_AVAILABLE} if there is none or it is of another version.
const compiler::Api& compiler_api();

/// Names the installed compiler, its builtins, the host's instruction set and whatever of the environment
/// changes its results, without loading it: part of every cache key and of program binaries.
const Hash& compiler_identity();

}  // namespace weft::runtime
