// Masks of both sides of a branch without the branch.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Behind `if (any(p))` a phi of bits, as that of the lanes that did not take the side, holds `p ? a : b` where some lanes took it, and `b`
/// where none did. But where none did `p` is false in all lanes: the selection is made in front of the branch, and the phi
/// goes. A mask that follows from local ids alone is known to the compiler then, and one of several is an operation less.
/// `region` is linearized.
void fold_mask_phis(llvm::Function& region);

}  // namespace weft::compiler::simt
