// Sums of products that a lane alone waits for: product and sum are two operations there.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::target {
class Costs;
}

namespace weft::compiler::simt {

/// In `for (k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]]` each sum waits for the one before. One operation that multiplies and
/// adds takes 4 cycles to its result, on Golden Cove and from Zen on a sum alone 2 or 3, and the product is ready long before.
///
/// So in a function of one lane (by_lane.h) `fmuladd`, which leaves the choice, becomes both where an innermost loop carries its addend through itself,
/// its factors do not wait for that, and an iteration waits longer for the one before than all its operations take. `fma` is one rounding and stays.
///
///   %sum.next = call float @llvm.fmuladd.f32(float %v, float %x, float %sum)
///   =>
///   %product = fmul float %v, %x
///   %sum.next = fadd float %sum, %product
void part_awaited_sums(llvm::Function& lane, const target::Costs& costs);

}  // namespace weft::compiler::simt
