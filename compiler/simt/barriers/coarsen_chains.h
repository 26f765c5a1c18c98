// How many warps run coarsened in one body whose loops are long chains of integers, as those are that search for a hash.
#pragma once

#include <cstdint>

#include "compiler/target/costs.h"

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;
class Shapes;

/// J for a kernel of one `region` whose loops, but those that are the same for all lanes, compute numbers of integers, each from the one
/// before, and read neighbours: 2 or 4, where the processor waits for such chains (Costs::waits_for_integers) and those of one warp leave it
/// time. Warps may part where a number that such a chain has mixed equals another one, since hardly any lane's does. What a loop computes must
/// fit the registers twice over: what spills is mostly read as operands. 0: another kernel, or one that gains nothing.
unsigned warps_of_chains(llvm::Function& region, const llvm::DominatorTree& dominators, const llvm::LoopInfo& loops, const Shapes& shapes,
                         std::uint32_t items, const VectorTraits& vectors, const target::Costs& costs, Analyses& analyses);

}  // namespace weft::compiler::simt
