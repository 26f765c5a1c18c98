// How many warps straight code, without loops and barriers, wants in one body.
//
// Straight code is often a chain of operations that wait for each other: logarithm, division, exponential. A processor looks some
// hundreds of operations ahead, which is not enough to find much of the next warp's; several warps in one body lie beside each
// other. Wide code has enough to do, and a long body fills the view. Time of one warp a body against that of the chosen number
// (one core, AVX-512, data in the second cache): Black-Scholes 1.21; not in the bench when this was written: erf 1.12, normal
// distribution in double 1.11, Murmur hash 1.09, Fresnel's formulas 1.08, inverse normal 1.04, quadratic roots, angle between
// vectors by atan2, normal distribution in float 0.96 to 1.01.
#pragma once

#include <cstdint>

#include "compiler/simt/analysis/pressure.h"
#include "compiler/target/costs.h"

namespace weft::compiler::simt {

/// J for `function`, of which one warp needs `pressure` registers at once, in groups of `items`. 1 where registers are few:
/// spills would cost more. Of a function with a loop it says nothing.
unsigned warps_of_straight_code(llvm::Function& function, const Shapes& shapes, unsigned pressure, std::uint32_t items,
                                const VectorTraits& vectors, const target::Costs& costs);

/// J for such a `region` whose branches all lanes run: so many warps as fill a register with what they load and store, if all of that lies
/// beside each other. Of bytes one warp fills half of 512 bits.
unsigned warps_of_full_registers(const llvm::Function& region, const Shapes& shapes, std::uint32_t items, const VectorTraits& vectors);

}  // namespace weft::compiler::simt
