// Puts probes into one work-item's code: calls that count how often blocks run, where branches part, what accesses touch.
//
// The code counts as it is then: a GPU's compiler does the same clean-up, and what follows here on required passes alone moves
// nothing. Widening turns a probe into code that counts for a warp (widen/counting.h).
#pragma once

#include "device/counted_code.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Returns the table that the probes' numbers refer to, without records or words: widening adds those. Not counted: what a GPU does
/// not execute as an instruction of its own (phis, casts of pointers, constant offsets) and reads of arguments.
abi::CounterTable insert_probes(llvm::Function& item, Analyses& analyses);

}  // namespace weft::compiler::simt
