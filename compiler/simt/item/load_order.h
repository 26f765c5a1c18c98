// The order of straight code that reads much: each value loaded is used up before the next is loaded, as far as that goes.
#pragma once

namespace llvm {
class BasicBlock;
}

namespace weft::compiler::simt {

/// Orders `block`, in which no load stands behind a store. Addresses move to where they are used.
void order_by_loads(llvm::BasicBlock& block);

}  // namespace weft::compiler::simt
