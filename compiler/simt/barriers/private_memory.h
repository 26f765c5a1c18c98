// Moves private variables to scratch that keep their contents across a barrier or are too large for the stack.
#pragma once

#include <vector>

#include "compiler/simt/barriers/regions.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// Replaces each alloca of `item` that is too large for a thread's stack by `weft.private`. If there are barriers (they end
/// `barrier_blocks`), also replaces each whose contents may be written before and read after one, or whose address is used
/// for more than accesses. The other allocas then are in the entry block, without lifetime markers, and only geps and
/// casts derive pointers from them: their addresses may differ from region to region.
std::vector<PrivateVariable> lower_private_memory(llvm::Function& item,
                                                  llvm::ArrayRef<llvm::BasicBlock*> barrier_blocks);

}  // namespace weft::compiler::simt
