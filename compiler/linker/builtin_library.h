// The OpenCL C library, weft-builtins.a, which lies beside the compiler.
//
// The file is an ordinary archive (llvm-ar t) of small bitcode modules, one for each function name with all its overloads,
// behind a table of symbols: one module of all its many thousand functions takes longer to open than most programs take to
// compile.
#pragma once

#include <cstdint>
#include <memory>

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace llvm {
class Module;
}

namespace weft::compiler::linker {

/// Links into `program` (spir64 still) each function of the library that it lacks, and what those need in
/// turn. What the library does not have stays undefined.
llvm::Error link_library(llvm::Module& program);

/// Makes the archive of `library`, one module of all builtins (build time; weftc --pack-builtins).
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> pack_library(llvm::Module& library);

/// Hash of the library's bytes; 0 when it cannot be read.
std::uint64_t library_hash();

}  // namespace weft::compiler::linker
