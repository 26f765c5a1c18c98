// Works around a fault of LLVM 19: rotates of constants by amounts of which some are known.
#pragma once

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Where a processor has no rotate of vectors, LLVM makes `(x << a) | (x >> (bits - a))` of it, and relies on the processor's shifts, which give
/// 0 for `x >> bits`. If x is a constant and so is a piece of the amount, it computes that piece itself, in which a shift by all bits
/// may be anything: lanes with an amount of 0 become all ones. So `rotate(1u, get_local_id(0))` does. This hides such constants. Must run last.
void hide_rotated_constants(llvm::Function& function, const VectorTraits& vectors);

}  // namespace weft::compiler::wide
