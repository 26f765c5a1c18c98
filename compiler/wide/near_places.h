// Places in memory that lie a constant apart, from an index of 32 bits.
//
// `in[row * width + x - 1]` and `in[row * width + x]` are neighbours, but each index is a number of 32 bits of its own, which is added up and extended:
// three instructions for each tap of a filter, where one place would do with the distance as a constant of the instruction. Nothing in LLVM knows:
// its reassociation keeps no flags, and its pass for GPUs (SeparateConstOffsetFromGEP) none of numbers that are not negative.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Loads and stores of a block that lie a constant apart take their places from the first of them. Known to be exact are indices that are extended by
/// their sign, of sums that do not wrap around, and those that are not negative: two such numbers are as far apart as their sums, modulo 2^32, say. Not
/// under masks: the first may lie nowhere.
void join_near_places(llvm::Function& function);

}  // namespace weft::compiler::wide
