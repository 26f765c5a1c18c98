// Which private variables keep their contents across a barrier.
#pragma once

#include <vector>

#include "compiler/simt/regions.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// Replaces each alloca of `item` whose contents may be written before and read after one of the barriers
/// that end `barrier_blocks`, or whose address is used for more than accesses, by `weft.private`.
/// The allocas left are in the entry block, without lifetime markers, and only geps and casts derive
/// pointers from them: their addresses may differ from region to region.
std::vector<PrivateVariable> lower_private_memory(llvm::Function& item,
                                                  llvm::ArrayRef<llvm::BasicBlock*> barrier_blocks);

}  // namespace weft::compiler::simt
