// Maxima and minima of what is a number.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// `fmax` and `fmin` of a number and NaN are the number, whichever it is (OpenCL C 3.0 §6.15.2), so LLVM compares and chooses beside the processor's maximum, which is its
/// second operand where one is NaN. That will do where this operand is a number for certain:
///
///   m = -INFINITY; for (...) m = fmax(m, x[k]);   =>   m = x[k] > m ? x[k] : m      one instruction
///
/// LLVM 19 sees that of a constant. Here also of what a loop carries that begins with a number and goes on as the maximum of that and anything else, and of what
/// integers become.
void take_extremes_of_numbers(llvm::Function& function);

}  // namespace weft::compiler::wide
