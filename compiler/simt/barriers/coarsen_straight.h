// How many warps straight code, without loops and barriers, wants in one body.
//
// The price of an option is 200 operations that mostly wait for each other: logarithm, division, exponential. A processor looks
// some 200 operations ahead, which is not enough to find much of the next warp's; several warps in one body lie beside each
// other. (Black-Scholes, one core, AVX-512: 2.16 ns an option alone, 1.95 two together, 1.77 four.) Short code overlaps
// by itself, and wide code has enough to do.
#pragma once

#include <cstdint>

#include "compiler/simt/analysis/pressure.h"

namespace weft::compiler::simt {

/// J for `function`, of which one warp needs `pressure` registers at once, in groups of `items`. 1 where registers are few:
/// spills would cost more. Of a function with a loop it says nothing.
unsigned warps_of_straight_code(llvm::Function& function, const Shapes& shapes, unsigned pressure, std::uint32_t items,
                              const VectorTraits& vectors);

}  // namespace weft::compiler::simt
