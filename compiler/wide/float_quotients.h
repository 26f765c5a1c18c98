// Quotients of floats by reciprocals.
#pragma once

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// A processor divides the floats of a register one after the other, more or less, and multiplies them at once. Where that is what a block waits for,
/// quotients of vectors by a number become products with its reciprocal, and what these leave is divided once more:
///
///   x / y  =>  q = x * r;  left = x - q * y;  q + left * r        r = 1 / y
///
/// which is the quotient as division rounds it, but for the last bit of some that are next to the least numbers: so only of quotients that need not be
/// exact (OpenCL C 3.0 §7.4, 2.5 ulp; not of those built with -cl-fp32-correctly-rounded-divide-sqrt, nor where denormals are zeros). Where nothing is
/// left, or the quotient is infinite, the product stays: zeros keep their sign. Numbers that are so small that they have no reciprocal are made greater
/// first, and so is what they divide.
///
/// (P. Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, 1990.)
void divide_by_reciprocals(llvm::Function& function, const VectorTraits& vectors);

}  // namespace weft::compiler::wide
