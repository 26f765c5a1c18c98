// Which private variables keep their contents across a barrier, or lie in scratch for their size.
#pragma once

#include <vector>

#include "compiler/simt/barriers/regions.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// Replaces by `weft.private` each alloca of `item` that is too large for a thread's stack and, where there are barriers,
/// which end `barrier_blocks`, each whose contents may be written before and read after one or whose address is used for
/// more than accesses. With barriers, the allocas left are in the entry block, without lifetime markers, and only geps
/// and casts derive pointers from them: their addresses may differ from region to region.
std::vector<PrivateVariable> lower_private_memory(llvm::Function& item,
                                                  llvm::ArrayRef<llvm::BasicBlock*> barrier_blocks);

}  // namespace weft::compiler::simt
