// Powers whose exponent the program writes as a number.
//
// pow(x, 2.0f) is a product, pow(x, 0.5f) a root, pow(x, -1.5f) a quotient by both: a few roundings, each of half a unit in the last place, where
// OpenCL allows 16 units. The general power takes a logarithm to more digits than its type has.
//
//   %y = call float @_Z3powff(float %x, float 3.0)
//   =>
//   %s = fmul float %x, %x
//   %y = fmul float %s, %x
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace weft::compiler::linker {

/// Calls of pow, powr and pown of float and double, and of vectors, with one exponent k/2, 0 < |k| <= 16, become products, roots and quotients that are right
/// for zeros, infinities, negative numbers, NaNs and denormals too. A function of that name that the program defines itself stays.
void write_out_constant_powers(llvm::Module& module);

}  // namespace weft::compiler::linker
