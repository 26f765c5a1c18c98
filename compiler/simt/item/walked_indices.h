// Indices of 32 bits that a loop counts up, of places in one buffer, though nothing says that they do not wrap around.
//
// `uint row = get_global_id(0) * pitch; for (uint k = 0; k < n; ++k) sum += in[row + k];` goes along a row, but for a sum that might wrap around from one
// iteration to the next: as far as the code says, the next element is anywhere. But a work-item that accesses a place in each iteration would have accessed
// one that is negative, in front of the buffer (signed_indices.h). So the sum is one of 64 bits.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Makes sums of 64 bits of what loops of `item`, a simplified item function, extend by the sign and access places in buffers by (buffer_places.h) in every
/// iteration: of numbers that are the same in all iterations, and one that counts up from 0 by little. Returns whether there were any.
bool extend_walked_indices(llvm::Function& item);

}  // namespace weft::compiler::simt
