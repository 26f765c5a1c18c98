// Sums of floats on the units of products.
#pragma once

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Some processors have units for sums beside those for products (VectorTraits::apart_sums), which in a block of sums have nothing to do. Half of such sums
/// become products with one and a sum, rounded once, so to the same bits:
///
///   x + y  =>  fma(x, 1, y)          x - y  =>  fma(-y, 1, x)
///
/// Only where the sums' units are what the block waits for: not where a sum waits for the one before it, which takes a cycle less.
void spread_sums(llvm::Function& function, const VectorTraits& vectors);

}  // namespace weft::compiler::wide
