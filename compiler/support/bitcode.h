// LLVM's bitcode, which is what objects and programs are.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Module;
}

namespace weft::compiler::support {

Bytes write_bitcode(const llvm::Module& module);

}  // namespace weft::compiler::support
