// What the iterations of a loop wait for.
#pragma once

namespace llvm {
class Loop;
}

namespace weft::compiler::target {
class Costs;
}

namespace weft::compiler::simt {

/// Cycles of the slowest circle of values of `loop` that are made of each other, for each iteration that it goes through, where one lane runs it. `a` of `b`
/// of the iteration before and `b` of `a` are a circle of two.
double recurrence_cycles(const llvm::Loop& loop, const target::Costs& costs);

}  // namespace weft::compiler::simt
