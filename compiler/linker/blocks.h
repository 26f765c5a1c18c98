// Kernels of blocks (frontend/blocks.h) in a linked program: each has a number, by which code names it to the runtime.
#pragma once

namespace llvm {
class Module;
}

namespace weft::compiler::linker {

/// Numbers them, from 0, in the value of frontend::kBlockAttribute, and puts the number in the place of a kernel's address wherever
/// one is taken. For machine code is free of addresses, and functions that enqueue each other are no recursion.
void number_blocks(llvm::Module& module);

}  // namespace weft::compiler::linker
