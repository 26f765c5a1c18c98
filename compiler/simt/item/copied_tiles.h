// Reads of a tile in local memory that is a copy of global memory become reads of what was copied.
//
// On a GPU a group copies what its work-items share, a tile of a grid and the rim around it, to local memory, and reads its neighbours there.
// Here local memory is as far as any other that is in the caches, and the copy costs what it would cost to read: loads and stores, rims that few
// lanes load, a barrier, and with it loops over warps. Where every cell that is read behind the barrier was loaded from memory that nothing in the
// kernel writes, the cell's address is a sum of local ids and numbers that the group shares, or what bounds at the edge of a grid make of such sums, and
// so is that of the reads, these load from there.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Whether `kernel`, linked and scalar-optimized, stores to local memory what it loads from global memory, outside of loops, so that it may
/// matter which of its buffers are apart.
bool may_copy_tiles(const llvm::Function& kernel);

/// Rewrites the reads of local memory in `item`, a simplified item function, drops the stores, and barriers that nothing needs any more. It
/// does all of that or nothing, and nothing if
///  - the local size is not known, or groups run side by side as one block (which those of such kernels become behind this, if they keep nothing then:
///    KernelInfo::may_lose_tiles);
///  - a cell that is read may not have been stored by every path to the barrier, or a work-item may store it behind that;
///  - something else than such accesses may touch local memory, or a store of the kernel may touch what is loaded;
///  - a warp's reads lie otherwise in global memory than in the tile (a transpose), or there are many (kMostReads).
/// Returns whether it changed anything.
bool read_copied_memory(llvm::Function& item, const Specialization& specialization);

}  // namespace weft::compiler::simt
