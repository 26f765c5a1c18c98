// Quotients and remainders of 64-bit lanes by constants.
#pragma once

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Divides vectors of 64-bit integers by a constant, the same in all lanes, as LLVM divides by one: by the upper half of a product (Warren,
/// Hacker's Delight, §10). But no processor has that of vectors, and LLVM takes the lanes out, one after the other. Here it is made of four
/// products of 32 bits, which they have. Runs late: passes before it see quotients.
void divide_longs_by_products(llvm::Function& function, const VectorTraits& vectors);

}  // namespace weft::compiler::wide
