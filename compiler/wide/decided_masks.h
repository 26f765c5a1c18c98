// Masks that a branch has decided.
//
// A step of a tree is for the first lanes of the first warp, `if (l < 8)`, and so are the rims of a tile: which lanes run is a number's bits
// beside a question that all lanes share, `first == 0`, by which the others skip the step as well. The mask stands in front of that branch.
// Behind it the question is answered, so the mask is known, lane by lane: what is masked becomes an access of known lanes, whole registers or none.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Vectors and truth values that follow from the side that a branch took become constants where only that side leads. Numbers stay: an
/// address made of a constant would be another one.
void decide_masks(llvm::Function& function);

}  // namespace weft::compiler::wide
