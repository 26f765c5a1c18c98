// Iterations that all lanes have in common, of loops along rows whose lengths differ from lane to lane.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// In `for (k = 0; k <= row; ++k) sum += a[row * n + k] * x[k]`, and in `for (k = begin[row]; k < begin[row + 1]; ++k)`, each lane walks along a
/// row of its own, and ends on its own. While all lanes walk, they read pieces of their rows as walked_rows.h has it, which takes only loops that all
/// lanes leave together. So a copy of the loop runs as many iterations as the lane with the fewest has, a number that is known in front of it,
/// where that is enough to make pieces of; the loop itself runs what is left.
///
/// Of innermost loops that walk and are left at their end alone, where how often each lane runs them is known in front of them without a division.
/// Each lane runs the same iterations in the same order as before, and lanes that are in one iteration are so still. `private_stride` is as in
/// Shapes. Returns whether anything changed; `analyses` are invalid for `region` then.
bool run_common_iterations_first(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                                 llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses);

}  // namespace weft::compiler::simt
