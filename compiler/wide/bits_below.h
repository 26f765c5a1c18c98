// Counts of the bits of a word below each lane.
#pragma once

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// How many lanes of a ballot come before each lane is a count of bits in 32 words, of which each has one bit more of the
/// same word. Processors of 256 bits have no such instruction for vectors: a dozen for each register. A table has the counts
/// of eight lanes for each byte of the word, and what the bytes before it have is one count for all eight. Does nothing
/// where registers are of other sizes (`vectors`).
void look_up_bits_below(llvm::Function& function, const VectorTraits& vectors);

}  // namespace weft::compiler::wide
