// The upper halves of products of words, a register at a time.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// `mul_hi(x, y)` is a product of 64 bits of two extended words, of which the upper half is cut out, and so is what generators of random numbers multiply by.
/// LLVM multiplies the even and the odd words of a register in place where it sees all of that in one block and for a vector that a register holds; of
/// longer ones, or of a word that was extended in front of a loop, it extends each half and puts the results together again: twice as many
/// instructions. Such products are computed by registers here, from words that are extended beside them.
void part_high_products(llvm::Function& function);

}  // namespace weft::compiler::wide
