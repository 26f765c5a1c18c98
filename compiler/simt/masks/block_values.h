// Moves the values that live across blocks to private memory.
#pragma once

#include <llvm/ADT/ArrayRef.h>

namespace llvm {
class BasicBlock;
}

namespace weft::compiler::simt {

/// `order` is the function's block_order(). Afterwards no block but the first defines a value that another one uses, and no phi is left:
/// values are stored to variables where they are defined, and loaded where they are used; addresses are computed again from what
/// they are made of. Values that are not alive at once share variables. Values of the first block stay values: it
/// dominates all others.
void keep_values_in_memory(llvm::ArrayRef<llvm::BasicBlock*> order);

}  // namespace weft::compiler::simt
