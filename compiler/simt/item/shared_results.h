// What several functions of the math library compute first, once for a value.
//
// Sine and cosine of one angle reduce it alike, and beyond the common angles in long code behind a branch of its own, which nothing merges once it
// is there twice. Functions of the library that are named so are inlined after all others; until then two calls with one argument are one, also where
// the program loads what the argument is made of for each, in one block and with nothing between that writes.
//
//   %s = call <2 x i32> @__weft_shared_trig_f32(float %x)      ; of sin(x)
//   %c = call <2 x i32> @__weft_shared_trig_f32(float %x)      ; of cos(x)
//   =>
//   %s = call <2 x i32> @__weft_shared_trig_f32(float %x)      ; of both
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// A function of the library whose result follows from its arguments alone, and that is inlined after share_results.
bool has_shared_result(const llvm::Function& function);

/// Calls of such functions in `function` for which another stands in front with equal arguments take that one's result. Variables become values.
/// What `analyses` knows of the function must be up to date, and is not afterwards.
void share_results(llvm::Function& function, Analyses& analyses);

}  // namespace weft::compiler::simt
