// Elements of shared memory that a loop adds to, kept in registers while it runs.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// In `for (k = 0; k < n; ++k) c[i] += a[k * n + i] * b[k]` each work-item loads and stores the element that it stored in the iteration
/// before, by scatters and gathers where lanes lie apart. Such an element is loaded in front of the loop and stored behind it, if
/// - nothing else in the loop accesses it: what does is in another address space, or of another `restrict` argument or buffer, or
///   another field of the same struct;
/// - nothing in the loop is atomic, a barrier or `volatile`, so that neither groups nor warps may look at memory meanwhile;
/// - no lane of the warp can tell: each has an element of its own. Where not every iteration stores it, what is written behind the loop is what some iteration
///   stored; it is loaded in any case, if every iteration does so, or lies between bytes of its struct that are accessed in any case.
///   Or lanes may share one, but leave the loop together, load and store it in each iteration together, and what they load goes nowhere but into what they store. What lockstep leaves in memory then is what the
///   last of these lanes made of what it stored itself, as if it had been alone.
/// `private_stride` is as in Shapes. True if `region` changed; `analyses` are invalid for it then.
bool keep_accumulators(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                       llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses);

}  // namespace weft::compiler::simt
