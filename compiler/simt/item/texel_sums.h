// Sums of texels of four bytes or four shorts as integers: two channels a word, or one.
//
// A filter whose weights are small integers adds texels up, multiplies by a number and writes what comes out as bytes: the mean of a box or of
// layers, 1 2 1. In floating point each tap takes a conversion and a sum a channel. As long as all taps together stay below 2^16 / 255, two
// channels fit a word of 32 bits: a tap takes a mask, a shift and two sums for all four. Shorts have a word each, and a texel is two pairs of these;
// sums that a float holds are scaled and rounded as floats. Integers may be added up in any order, so that rows share sums (shared_sums.h).
//
// Times the factor and rounded bytes stay in their words, too (byte_scale.h), unless they may exceed 255.
//
// The result is exact where the program's own sum is rounded at each step. So this is done only for what ends in a write of normalized bytes,
// which OpenCL lets be off by 0.6 steps (OpenCL C 3.0 §8.3.1.1), of which the write itself needs 0.5: what the roundings of the sum amount to
// must fit what is left.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Rewrites such sums in `kernel`, whose image functions are calls still (lower_images): of whole texels, of RGBA or BGRA of UNORM_INT8 or
/// RGBA of UNORM_INT16, in code without loops of unknown counts. Returns whether there were any.
bool make_texel_sums(llvm::Function& kernel, Analyses& analyses);

/// Once reads are inlined: the words that such sums read as floats are taken as they were loaded. LLVM would load floats and then words again, without
/// the mark of texels.
void take_words(llvm::Function& kernel);

}  // namespace weft::compiler::simt
