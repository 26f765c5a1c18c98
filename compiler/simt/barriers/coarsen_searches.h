// How many warps of work-items that search run coarsened in one body.
#pragma once

#include <cstdint>

#include "compiler/target/costs.h"

namespace llvm {
class Function;
class LoadInst;
class LoopInfo;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;
class Shapes;

/// J for a kernel of one `region` whose loops only read neighbours and compare, until the lanes have left one by one: 1, 2, 4 or 8. An
/// iteration of one warp waits: for what it loads, for the comparison, for the mask of those that stay. So many warps in one body as fill
/// that time cost no more than one of them, even where a lane of one searches for long. 0: another kernel, or so many other instructions
/// that warps may skip.
unsigned warps_of_searches(llvm::Function& region, const llvm::LoopInfo& loops, const Shapes& shapes, std::uint32_t items,
                           const target::Costs& costs, Analyses& analyses);

/// Whether lanes load what `load` does from one place, or from places beside each other.
bool is_in_a_row(const llvm::LoadInst& load, const Shapes& shapes);

}  // namespace weft::compiler::simt
