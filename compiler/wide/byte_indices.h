// Indices that leave vectors for addresses, several at a time: those of a byte, as of tables, and others.
#pragma once

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Without gather instructions worth their time, each lane's index leaves its vector by an instruction, of which processors begin one in a cycle: more than
/// the loads that follow take. Of `t[x & 255]` and `t[x >> 8 & 255]`, the bytes of four lanes leave together, as one word, which a byte shuffle makes in
/// place of the mask and the shift; scalar code takes the bytes out of it. Vectors of bytes leave by words, too, or, where they
/// were loaded and nothing was written since, are loaded as words. Other indices of 32 bits leave by two.
void take_byte_indices(llvm::Function& function, const VectorTraits& vectors);

}  // namespace weft::compiler::wide
