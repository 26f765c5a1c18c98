// The OpenCL C library, weft-builtins.bc, which lies beside the compiler.
//
// The file is an archive of small bitcode modules, one for each function name with all its overloads, behind
// an index of symbols: one module of all its many thousand functions takes longer to open than most programs
// take to compile.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace weft::compiler::linker {

/// Links into `program` (spir64 still) each function of the library that it lacks, and what those need in
/// turn. What the library does not have stays undefined.
llvm::Error link_library(llvm::Module& program);

/// Makes the archive of `library`, one module of all builtins (build time; weftc --pack-builtins).
llvm::SmallVector<char, 0> pack_library(llvm::Module& library);

/// Hash of the library's bytes; 0 when it cannot be read.
std::uint64_t library_hash();

}  // namespace weft::compiler::linker
