// How many warps run coarsened in one body.
//
// J warps in lockstep share loads and addresses and give the processor independent work where one warp is a chain of
// dependent operations: a naive matrix multiply runs twice as fast with J = 2 on 16 vector registers. More warps than
// the registers hold spill, and coarsened warps cannot skip a branch that only one of them skips.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/compiler_api.h"
#include "compiler/simt/analysis/pressure.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/barriers/frame.h"

namespace llvm {
class BranchInst;
class Function;
class LoopInfo;
class TargetMachine;
}

namespace weft::compiler::simt {

class Analyses;

/// The registers that a body whose loops stride over rows may want, whatever the processor has: it waits for memory.
inline constexpr unsigned kStridingRegisters = 64;

/// Between a divergent branch and where its sides meet again: what every warp of a body may run for one of them.
inline constexpr unsigned kMostSkipped = 12;

/// Whether one warp may skip more than `most_skipped` instructions that another runs: of several warps in one body each runs them. Of
/// divergent branches that `is_fine` takes nothing is asked. `function` need not be split into regions.
bool warps_part(llvm::Function& function, const llvm::LoopInfo& loops, const Shapes& shapes, Analyses& analyses,
                unsigned most_skipped = kMostSkipped,
                llvm::function_ref<bool(const llvm::BranchInst&)> is_fine = [](const llvm::BranchInst&) { return false; });

/// Where nothing repeats, coarsen_straight.h says it; where lanes search, coarsen_searches.h; where loops are chains of integers, coarsen_chains.h; else:
/// J for a kernel of these `regions` (canonical, not linearized; without_copies): 1, 2 or 4, or 8 where a load in a loop serves all
/// warps, or where a loop strides over rows of a warp: those of several lie side by side, which the processor follows. Above 1 only where
/// warps part for a few instructions at most (a bound of the range, the end of an even loop, a short branch), 32 * J divides the specialized
/// local size, and the values live at once fit the registers. Where what all warps share does not fit beside a single one, up to 4, whose
/// other values have to fit. `frame` is that of J = 1.
/// A small kernel without loops that accesses memory by columns (tiled_access.h) gets as many warps as make a column a line, 8 at most.
unsigned choose_coarsening(llvm::ArrayRef<llvm::Function*> regions, const Specialization& specialization,
                           const WarpFrame& frame, const VectorTraits& vectors, const llvm::TargetMachine& machine,
                           Analyses& analyses);

/// J for `regions` whose lanes run several rows of a group each (item/stacked_rows.h): 1, which has enough to do, or so many warps of a row as fill a register
/// with bytes (warps_of_full_registers), where what is made of these are integers, most of which become narrow, and not so many that they would be spilled.
unsigned coarsen_stacked_rows(llvm::ArrayRef<llvm::Function*> regions, const Specialization& specialization, const WarpFrame& frame,
                              const VectorTraits& vectors);

}  // namespace weft::compiler::simt
