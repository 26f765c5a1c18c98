// Combines a work-item's loads of numbers side by side: bytes to words, out of which shifts take them, and words to pairs and pieces of 16 bytes.
//
// Strings, packets and blocks of ciphers are read byte by byte, from a row of each work-item's own: a gather for each byte, where one word
// is four of them; and words of rows that lie side by side become whole registers that are transposed (struct_rows.h). Fields of a struct anywhere, the parts of a
// complex number, the two ends of a row of a sparse matrix are a gather each, where a gather of 64 bits is two of them, a load of 16 bits for each lane two
// bytes, and a load of 16 bytes for each lane (widen/memory/row_pieces.cpp) four, or two of doubles or complex numbers. A loop along a row that the program has
// unrolled reads whole lines of it, which each lane loads at once: rows evenly apart may lie a large power of two apart, and then few of their lines stay in the
// first-level cache until the next piece.
#pragma once

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace weft::compiler::simt {

class Shapes;

/// `function` is linearized, and its values have `shapes`. Takes loads in one block, at constant distances from an address
/// that differs from lane to lane, which together are all bytes of what is loaded in their place; what stands between them must be known, by the arguments'
/// scopes, to write no byte of theirs. Bytes and shorts stay where lanes lie so close together that they are shuffled out of registers
/// (widen/memory/lane_patterns.cpp), unless words are; words, where they lie evenly apart. The combined load stands at the first of them. True if
/// anything changed.
bool join_loads(llvm::Function& function, const Shapes& shapes);

/// Those that join_loads would take, and with how many each is loaded.
llvm::DenseMap<const llvm::Instruction*, unsigned> joined_loads(llvm::Function& function, const Shapes& shapes);

}  // namespace weft::compiler::simt
