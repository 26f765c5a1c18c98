// Second copies of blocks, which code enters under a condition of its own.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/Twine.h>
#include <llvm/IR/ValueMap.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace llvm {
class BasicBlock;
}

namespace weft::compiler::simt {

/// Copies of `blocks`, of one function, in front of `before` (null: at its end), that lead to each other and use each other's values as those do. `copies`
/// gets blocks and values. Phis of the first still name where it is entered from.
llvm::SmallVector<llvm::BasicBlock*, 16> clone_blocks(llvm::ArrayRef<llvm::BasicBlock*> blocks, const llvm::Twine& suffix, llvm::BasicBlock* before,
                                                      llvm::ValueToValueMapTy& copies);

/// Leads all ways out of the copies of `blocks` to where those of `blocks` do: what stands there gets values from either.
void join_copies(llvm::ArrayRef<llvm::BasicBlock*> blocks, const llvm::ValueToValueMapTy& copies);

}  // namespace weft::compiler::simt
