// Numbers of 16 bits, times a constant and rounded, as bytes: in 16 bits.
//
// What a filter makes of a sum is the sum times a number, rounded. In floating point that is a conversion, a product, bounds and a rounding for
// each channel; in 16 bits it is the upper half of a product, for as many channels as a register has 16-bit numbers.
#pragma once

#include <optional>

#include "llvm/IR/IRBuilder.h"

namespace weft::compiler::simt {

/// ((x << up) + bias) * multiplier >> 16 >> down, which a multiplier of 2^15 and less that is a power of two makes a shift.
struct ByteScale {
  unsigned up = 0, bias = 0, multiplier = 0, down = 0;
  unsigned of(unsigned x) const { return (((x << up) + bias) * multiplier >> 16) >> down; }
};

/// One that is off from `factor` * x by `most_error` at most for each x up to `most`, and below 256; nothing if none is found. All x are tried.
std::optional<ByteScale> byte_scale(double factor, unsigned most, double most_error);

/// Of both 16-bit halves of `pair`, a word.
llvm::Value* scale_to_bytes(llvm::IRBuilder<>& builder, llvm::Value* pair, const ByteScale& scale);

}  // namespace weft::compiler::simt
