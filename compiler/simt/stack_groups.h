// Groups that read the same data run by turns.
//
// In a matrix product the groups of a column read the same columns of one matrix, one after the other, each from its first row
// to its last: more than a near cache holds, so that every group fetches them from afar. Where a few of these groups run by
// turns, each for a stretch of its loop, what the first one of them fetches the others find at hand. A stack is up to
// Specialization::stack groups one below the other. Each has its own local memory, and what lives across a turn's end goes to
// slots (regions.h), as at a barrier; so nothing that a program may rely on changes.
#pragma once

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Puts a barrier of its own into long loops of `item`, which has no other, once in a number of rounds: there a turn ends, and
/// split_regions() cuts. Returns specialization.stack if there is such a loop, else 1: then the groups run one
/// after the other. A loop is such a one if it reads global memory and all lanes take it together. `turn`: instructions
/// of a work-item in a turn; 0: as is best.
std::uint32_t stack_groups(llvm::Function& item, const Specialization& specialization, unsigned turn, Analyses& analyses);

}  // namespace weft::compiler::simt
