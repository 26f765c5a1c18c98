// Short rows that a lane goes along alone, in vectors of eight elements.
#pragma once

#include "compiler/target/vectors.h"

namespace llvm {
class Loop;
}

namespace weft::compiler::target {
class Costs;
}

namespace weft::compiler::simt {

class Analyses;

/// A lane's turn at a row ends where the processor does not foresee it, and a row of a handful of elements takes as long as that guess.
/// Eight elements at once, those beyond the row's end masked, have no branch:
///
///   for (k = begin; k < end; ++k) sum += value[k] * x[column[k]];
///   =>
///   if (end - begin > few)
///     for (k = begin; k < end; ++k) sum += value[k] * x[column[k]];
///   else
///     for (k = begin; k < end; k += 8) sum = piece(end - k - 1, k, sum, value, x, column);
///
/// where `piece`, a function of one lane (by_lane.h), loads, gathers and multiplies vectors and adds their elements to `sum` one after the
/// other, as the program does. All lanes have their first eight elements before any has its next: so none waits for another's sum, and the
/// loop over lanes ends once for all of them.
///
/// The innermost loop ends at its end, after iterations that are counted in front of it, of which it leaves what it carries alone. It
/// stores nothing. Its branches become masks of what is loaded behind them. What it makes of the values that it carries is a few operations
/// of arithmetic, in the order that it has.
class ShortRows {
 public:
  /// The most elements of a row up to which `loop`, which runs for one lane after the other, is faster so; 0 where it cannot, or is not.
  static unsigned few(const llvm::Loop& loop, const target::Costs& costs, const VectorTraits& traits, Analyses& analyses);
  /// The same whether or not it is faster.
  static unsigned any(const llvm::Loop& loop, const VectorTraits& traits, Analyses& analyses);
  /// Rows of up to `few` elements leave `loop`, of which one of the others said that they may. Analyses are invalid then.
  static void part(llvm::Loop& loop, unsigned few, const VectorTraits& traits, Analyses& analyses);
};

}  // namespace weft::compiler::simt
