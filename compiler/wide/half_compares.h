// Works around a fault of LLVM 19 on AVX512-FP16: masked comparisons of half.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// LLVM makes one masked `vcmpph` of `and <N x i1> %mask, (fcmp ... <N x half>)`. Where it then exchanges the operands, to read one from
/// memory, it leaves the predicate as it was: a < b becomes b < a. (It knows that of the forms without a mask, and of float and double.)
/// So comparisons in which the order counts are made of floats, whose every half is exact.
void compare_halves_as_floats(llvm::Function& function);

}  // namespace weft::compiler::wide
