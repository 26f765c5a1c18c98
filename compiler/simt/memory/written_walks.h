// Rows that lanes walk along and write, by pieces of 16 bytes.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// In `for (k = 1; k < n; ++k) a[row * n + k] += a[row * n + k - 1]` each work-item walks along a row of its own and writes it: a gather
/// and a scatter for each register. walked_rows.h takes no such loop, since what is stored may be what another lane, or the next iteration,
/// loads. Here innermost loops that all lanes leave together, of a number of iterations known before the first, are unrolled as far as a
/// row's elements fill a piece. All loads of a piece come first, and its stores are one, at its end.
///
/// Nobody can tell, since of any two of these accesses one of which is a store
/// - one is to another address space, or behind another `restrict` argument or buffer; or
/// - both are at a constant distance from each other in memory, as `a[k]` and `a[k - 1]`, and the lanes' rows lie evenly apart, by more than
///   the piece and that distance together. Where the lanes' distance is not known, the loop is there twice, and the code
///   looks once, in front of it. Lanes move on side by side, so it does not matter where rows end.
/// Of a lane's own, what an iteration loads that the one before has stored, or one of the few before, stays in a register.
/// All other accesses stay where they are, and in their order; so do those of the lanes in loops that are not taken.
///
/// `private_stride` is as in Shapes. True if `region` changed; `analyses` are invalid for it then.
bool walk_written_rows(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                       llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses);

}  // namespace weft::compiler::simt
