// Indices of 32 bits that are multiples of a work-item's id, in the 64 bits that addresses have.
//
// `a[i * 5 + k]` with an int `i` is a product of 32 bits that the program says does not overflow. Where ids are known to fit 31 bits, LLVM computes it in 64
// bits, and cuts the result, since five times an id need not fit 32: what the program said is lost, and with it that work-items' rows lie evenly apart, wherever
// the group is. So such indices are sums and products of 64 bits before LLVM sees what ids may be.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Extends what sign extensions in `item` extend, of ids that fit 31 bits, constants, and sums and products of these that do not overflow, before it is computed.
/// `item` is a lowered item function.
void make_indices_exact(llvm::Function& item);

}  // namespace weft::compiler::simt
