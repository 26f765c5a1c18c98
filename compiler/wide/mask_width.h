// Masks that live across blocks, in the form that processors without mask registers want.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Makes each phi of a warp's mask, <W x i1>, one of <W x i32> with all bits of a live lane set, and the
/// logic that feeds it likewise. Without AVX-512 LLVM packs an i1 vector into bytes at every block's end and
/// unpacks it at every select, where a comparison's own result would have served. To be run last: LLVM's
/// InstCombine would undo it.
void widen_masks(llvm::Function& function);

}  // namespace weft::compiler::wide
