// Kernels that Clang makes of the blocks that a program enqueues on the device (OpenCL C 3.0 §6.15.17), and what points to them.
//
// Clang calls `__enqueue_kernel_basic` and its like (builtins/enqueue.cl) with the address of the block's kernel and that of its literal:
// a size, an alignment, the address of the block's function, and what it captures. Here a block's kernel gets its form, and addresses of
// functions go: OpenCL C knows at compile time which block every call means. Once a program is linked, its blocks' kernels have
// numbers (linker/blocks.h).
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::frontend {

/// On a block's kernel. Its first argument is the block's literal, in constant memory; the others are local pointers.
inline constexpr llvm::StringLiteral kBlockAttribute = "weft-block";

/// `explains`: enqueue_kernel is to return why it failed.
void prepare_blocks(llvm::Module& module, bool explains);

/// Whether `function` takes a block's kernel: enqueues it, or asks about it.
bool takes_block_kernel(const llvm::Function& function);

}  // namespace weft::compiler::frontend
