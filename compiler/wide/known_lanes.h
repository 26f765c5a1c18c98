// Works around faults of LLVM 19 on processors without mask registers: comparisons and masks that it knows in some lanes.
#pragma once

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Of `(id & 4) != 0` LLVM knows what comes out where it knows lanes' ids, as in a group of 24: it makes a constant of those lanes when it takes a
/// vector apart. Where a mask of bytes is made of several such parts (`||` with a condition that is one for 8 lanes), or numbers of 16 bits that it
/// knows in part are extended, some of the constants are lost and come out as others: on SSE4.2 and SSE2, not on AVX. This hides what is
/// compared and extended. Must run last.
///
/// Of a mask that is spread over the words of each lane, as those of accesses to `uint4` are, pieces whose lanes it knows to be off, as in groups padded to whole rows, may
/// come out as loads of all lanes, which fault: with and without AVX. This hides what is spread.
void hide_known_lanes(llvm::Function& function, const VectorTraits& vectors);

}  // namespace weft::compiler::wide
