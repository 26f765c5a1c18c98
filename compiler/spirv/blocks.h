// What a SPIR-V module enqueues on the device (OpEnqueueKernel), as Clang has it of blocks (frontend/blocks.h).
#pragma once

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace weft::compiler::spirv {

/// A function that the module enqueues gets a kernel that calls it, and its parameter, memory of a size that the instruction names, a
/// copy behind the head of a block's literal. Fails if that size is not constant.
llvm::Error make_block_kernels(llvm::Module& module);

}  // namespace weft::compiler::spirv
