// Combines a work-item's loads of bytes side by side to loads of words, out of which shifts take the bytes.
//
// Strings, packets and blocks of ciphers are read byte by byte, from a row of each work-item's own: a gather for each byte, where one word
// is four of them; and words of rows that lie side by side become whole registers that are transposed (struct_rows.h).
#pragma once

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace weft::compiler::simt {

class Shapes;

/// `function` is linearized, and its values have `shapes`. Takes loads of 8 and 16 bits in one block, at constant distances from an address
/// that differs from lane to lane, which together are all bytes of a word; what stands between them must be known, by the arguments' scopes,
/// to write no byte of theirs. Not where lanes lie so close together that their bytes are shuffled out of registers
/// (widen/memory/lane_patterns.cpp), unless words are. The combined load stands at the first of them. True if anything changed.
bool make_byte_words(llvm::Function& function, const Shapes& shapes);

/// Those that make_byte_words would take, and of how many each makes a word.
llvm::DenseMap<const llvm::Instruction*, unsigned> loads_of_words(llvm::Function& function, const Shapes& shapes);

}  // namespace weft::compiler::simt
