// Pairs that a network of comparisons sorts, up in some lanes and down in others.
#pragma once

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Replaces a selection between two vectors of integers by how they compare, turned round in lanes that are known at compile time
/// (`(a > b) == rising` of a bitonic network), by their least and their greatest lane by lane: the lanes of each are known, so that most
/// registers need one of the two alone, and none a mask. Only for elements whose least and greatest the processor has (`vectors`). Runs after
/// LLVM's InstCombine, which leaves the comparison as it is.
void order_known_lanes(llvm::Function& function, const VectorTraits& vectors);

}  // namespace weft::compiler::wide
