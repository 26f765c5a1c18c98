// Rows that lanes walk along and write, a whole row of one lane after that of the other.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// In `for (j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j]` each work-item makes the elements of a row of its own, none of the
/// one before: what is made side by side are best the elements of one row, which lie side by side in memory. Such an innermost loop becomes
/// a function of one lane (by_lane.h), which LLVM's loop vectorizer takes.
///
/// All lanes run it as often, which is known in front of it. It carries nothing from one iteration to the next but counters. Each iteration
/// stores the next element, or the one before, of rows that lie far apart, and loads elements of rows in the same way, or what is the same in
/// all iterations; or it does so under a condition.
///
/// No lane can tell in which order lanes and iterations run where of any two accesses one of which is a store
/// - one is to another address space, or behind another `restrict` argument or buffer; or
/// - the lane loads, in front of the store, what that stores in the same iteration or in a later one; or
/// - what the one walks over in all iterations is apart from what the other one does: the lanes' rows lie evenly, further apart than all of
///   a lane's own, and what all lanes load alike is apart from each of their rows.
/// The last is looked at once, in front of the loop, with the number of iterations, of which a few are not worth a turn. Otherwise, the loop runs as it was.
///
/// `private_stride` is as in Shapes. Returns the functions of one lane, as yet one element at a time; `analyses` are invalid where there are any.
llvm::SmallVector<llvm::Function*, 2> turn_rows(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                                                llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses);

/// The same of loops that lanes leave one by one, as in `for (i = id * chunk; i < min((id + 1) * chunk, n); ++i) y[i] += a * x[i]`, which programs write for
/// processors: each work-item has a chunk of its own, and the last one a shorter one. They turn where any lane has iterations that are worth it.
llvm::SmallVector<llvm::Function*, 2> turn_chunks(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                                                  llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses);

}  // namespace weft::compiler::simt
