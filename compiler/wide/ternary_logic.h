// Logic of three values in one instruction, on AVX-512.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// `vpternlog` computes any function of three values. LLVM 19 makes one of two operations that follow each other, which leaves three instructions of
/// a majority, `(a & b) | (c & (a ^ b))`, in whatever form it is written. Here an `and`, `or` or `xor` of vectors of integers, and what it is made of
/// in its block down to three values, become one where at least three operations (complements do not count) are of no use to anything else. An
/// operation of two values that others of this kind use and nothing else does is taken into each of them. The value is not made so where a `select`
/// takes it, which might make a masked one of it (bit_merges.h), nor through the two shifts of a rotate.
void join_ternary_logic(llvm::Function& function);

}  // namespace weft::compiler::wide
