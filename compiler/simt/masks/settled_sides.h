// Loops that stay on one side of a diagonal, for all lanes and from their first iteration to their last.
//
// Half of a symmetric matrix is stored: `k <= row ? a[k * n + row] : a[row * n + k]`. Of a tile of rows and columns off the diagonal all elements lie on one
// side, where lanes read neighbours, or each lane along a row of its own; chosen element by element, each is gathered, under a condition of its own. So
// such a loop gets two copies, in which the comparisons are known, for warps whose lanes all are above, and all below, in all of its iterations. The copies
// have a copy more for each side of a condition that all lanes share (shared_sides.h): which half is stored. Loops that programs ask to unroll have stayed
// loops until then (sided_loops.h); the copies, and what is left for tiles on the diagonal, are unrolled as far as a line has elements.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

namespace llvm {
class Function;
}

namespace weft::compiler {
struct Specialization;
}

namespace weft::compiler::simt {

class Analyses;

/// Gives such copies to innermost loops of `region` of known counts whose loads of global memory are chosen so. Each lane does the same operations in the same
/// order as before. `private_stride` is as in Shapes. Returns whether anything changed; `analyses` are invalid for `region` then.
bool settle_sides(llvm::Function& region, const Specialization& specialization, unsigned lanes, llvm::function_ref<std::uint32_t(unsigned)> private_stride,
                  Analyses& analyses);

}  // namespace weft::compiler::simt
