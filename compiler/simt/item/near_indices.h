// Indices of 32 bits that differ by constants, of places in one buffer.
//
// `int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1` is computed in 64 bits and cut. LLVM cuts early and takes constants together, so that in[at - 1]
// becomes in[cut] and in[at] in[cut + 1], of which nothing is said any more: that the two are neighbours is lost, and each tap of a stencil has an
// address of its own. But nothing of a buffer lies in front of its start: a work-item that accesses both has two indices that are not negative, and
// these are as far apart as the constants.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Makes sums of the first and a constant of indices in `item`, a simplified item function, that are extended by their sign and differ from it by one, where both
/// are of places in buffers (buffer_places.h) that the work-item accesses in their blocks, one of which dominates the other. Returns whether there were any.
bool join_near_indices(llvm::Function& item);

}  // namespace weft::compiler::simt
