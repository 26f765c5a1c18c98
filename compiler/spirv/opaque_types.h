// Images, samplers and events of a translated SPIR-V module get the types that Clang gives them, reservations that of plain_types.h.
#pragma once

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace weft::compiler::spirv {

/// The translator hands them over as pointers: which of them are what is read from kernels' metadata and from the names of the
/// functions that take them, and followed through the module. Fails where a pointer would be two things.
llvm::Error give_opaque_types(llvm::Module& module);

}  // namespace weft::compiler::spirv
