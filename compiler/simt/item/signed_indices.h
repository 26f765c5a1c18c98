// Unsigned indices of 32 bits of places in small buffers, as signed ones.
//
// `in[y * pitch + x + 1]` of uints may wrap around at 2^32, as far as the code says, so that of no two places is it known that they are neighbours. Signed
// numbers do not wrap around, and where it is forgotten that they do not, a negative index says so: nothing of a buffer lies in front of its start. All places
// of a buffer of less than 2^31 bytes have indices that are positive as signed numbers, too.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Extends by the sign what `item`, a simplified item function, extends by zeros for places in small buffers and nothing else (buffer_places.h). Returns
/// whether there was any.
bool sign_indices(llvm::Function& item);

}  // namespace weft::compiler::simt
