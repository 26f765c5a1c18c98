// Widens masks that live across blocks, for processors without mask registers.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Replaces each phi of a warp's mask, <W x i1>, and the logic that feeds it by <W x iN>, with all bits of a live
/// lane set. Without AVX-512, LLVM packs an i1 vector into bytes at every block's end and unpacks it at every
/// select, though the comparison's own result would do. N is the size of the widest elements that these masks were compared of
/// or that they select, at most 32: those of a search in text are of bytes. Masks that no phi is cross as words, too, where they select, load or
/// store words in another block than their own or a part's, as those of the lanes at a border in front of a loop. Runs after LLVM's InstCombine, which
/// would undo it.
void widen_masks(llvm::Function& function, unsigned register_bits);

}  // namespace weft::compiler::wide
