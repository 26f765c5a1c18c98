// What a loop computes for a sum, and a later loop once more for what it writes.
//
// A softmax sums exponentials along a row, and then writes each of them by what the sum is: the program computes every exponential twice, since a GPU would
// have to keep a row in registers or memory. Here the place that the second loop writes is in the caches, and nothing reads it before: the first loop
// leaves there what it has computed, and the second takes it from there.
//
//   for (i = l; i < n; i += 256) sum += exp(in[i] - top);            for (i = l; i < n; i += 256) sum += out[i] = exp(in[i] - top);
//   ...                                                       =>     ...
//   for (i = l; i < n; i += 256) out[i] = exp(in[i] - top) * f;      for (i = l; i < n; i += 256) out[i] = out[i] * f;
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::target {
class Costs;
}

namespace weft::compiler::simt {

class Analyses;

/// Does so in `item`, a simplified item function, for groups of `specialization`'s size, where
///  - both loops run together or not at all, and as often;
///  - the value, or each component that it is joined from, follows in both loops by the same operations from the same numbers and from memory that the
///    kernel does not write; it is of the type that is stored, and costs more than to store it and to load it (kLeastCost);
///  - the store is the one access of the kernel to its buffer, which is apart from all that it accesses else;
///  - work-items of a group store beside each other, each at places of its own in all iterations, and each group, by its number, elsewhere.
/// Returns whether it changed anything; `analyses` are invalid for `item` then.
bool keep_results(llvm::Function& item, const Specialization& specialization, const target::Costs& costs, Analyses& analyses);

}  // namespace weft::compiler::simt
