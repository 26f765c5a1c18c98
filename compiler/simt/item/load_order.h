// The order of straight code that reads much: each value loaded is used up before the next is loaded, as far as that goes. What all lanes
// share, as a filter's weights, is read where it is needed: it is an operand in memory, and would have each row of a filter wait for its own.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>

namespace llvm {
class BasicBlock;
}

namespace weft::compiler::simt {

/// Orders `block`, in which no load stands behind a store. Addresses move to where they are used.
void order_by_loads(llvm::BasicBlock& block, const llvm::UniformityInfo& uniformity);

}  // namespace weft::compiler::simt
