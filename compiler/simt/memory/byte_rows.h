// Combines a work-item's stores to bytes side by side, of which those of the next work-item follow: the channels of a pixel.
//
// Programs write a pixel of three bytes as three stores (OpenCV's kernels on BGR images do, and `vstore3` of bytes is such), each of which
// leaves gaps that no vector can: a store for each byte of each lane. One store of an OpenCL vector is whole registers, which the channels are
// shuffled into. Rows that are longer, as the digest of a hash or a table of counts that each work-item has, are stored by pieces of 16 bytes.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Shapes;

/// `function` is linearized, and its values have `shapes`. Takes stores of numbers of 8 or 16 bits in one block, at constant distances, which
/// together are all that a lane has up to where the next lane's begin, 8 bytes at most, or of longer rows pieces of 4, 8 or 16 bytes; what stands between them must be known, by the arguments'
/// scopes, to touch no byte of theirs. The combined store stands at the last of them. Whether indices wrap around is left to widening. True if
/// anything changed.
bool make_byte_rows(llvm::Function& function, const Shapes& shapes);

}  // namespace weft::compiler::simt
