// Stores of single lanes side by side.
//
// A tile that a group of 16 columns turns on its way into local memory, `tile[x][y] = in[...]`, has lanes of a row far from each other, and those of
// two rows side by side: each is stored by itself, and on most processors an instruction takes a lane out of its register before.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Makes one store of two or four lanes whose places in memory follow each other, where lanes are stored one after the other with no other access to memory
/// between them. `function` is wide and optimized.
void pair_stores(llvm::Function& function);

}  // namespace weft::compiler::wide
