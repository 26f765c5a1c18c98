// Rows of a group that begin where vectors do.
//
// Work-items are numbered along x, row after row, and a warp is 32 of them (docs/lockstep.md). In a group of 125 x 2 or 20 x 20 a warp goes on
// in the next row, at a place that differs from warp to warp: what lies side by side in memory is gathered, an element at a time, and what a
// row shares is no scalar. With idle lanes at the end of each row, as many as make it whole pieces of a vector, a row's accesses are vectors
// again.
//
// Warps are others then. A program can tell where lanes of one speak to each other without a barrier: by functions of sub-groups, or by local
// memory that they both write and read between two barriers. Such kernels stay as they are, and so do counts, which are of the program's warps.
#pragma once

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Where that gains by an estimate, `item`, a simplified item function, returns at once in the idle lanes. The result is the lanes of a row, for
/// which all passes behind take the local size along x; 0: `item` stays as it is, and so is the group.
std::uint32_t pad_rows(llvm::Function& item, const Specialization& specialization, Analyses& analyses);

}  // namespace weft::compiler::simt
