// Quotients of 64 bits in vectors.
//
// No processor divides vectors of integers, and a lane's 64 bits do not fit a double, as those of 32 do. AVX-512 has products of 64 bits and
// conversions between these and doubles: an estimate of the quotient that is never too large leaves a rest which is a number without a
// sign, of which the same divisor takes the next bits. Two estimates serve for all quotients, and one for those of up to 49 bits:
//
//   %i = (1 - 2^-50) / double(d)
//   %q = u64(double(x) * %i)           x / d >= %q > (x / d) (1 - 2^-49.4) - 1
//   %r = x - %q * d                    the same of %r, and again
//   %r = umin(%r, %r - d)              %r < 2 d
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace weft::compiler::simt {

/// dividend / divisor, or the remainder, of vectors of 64-bit integers that are defined in every lane. The absolute value of the quotient has at most
/// `quotient_bits`.
llvm::Value* divide_long(llvm::IRBuilderBase& builder, bool is_signed, bool remainder, llvm::Value* dividend, llvm::Value* divisor,
                         unsigned quotient_bits);

/// Quotients of so many bits take one estimate.
inline constexpr unsigned kOneEstimateBits = 49;

}  // namespace weft::compiler::simt
