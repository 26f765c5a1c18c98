// Loads and stores of one row of memory, from its beginning to its end.
//
// A vector of 256 floats is loaded by 16 instructions, which LLVM's scheduler orders by what waits for them: a tree that adds its halves, and
// halves of these, loads parts 5, 13, 9, 7, and so on. What nothing waits for, as stores, it leaves in the order in which it looks at it: the last first.
// Prefetchers follow what ascends: sums of groups of 512 floats out of a third-level cache took 1.16 times as long, scans 1.4 times, and
// rows of 512 bytes stored from their end 1.2 to 1.5 times (docs/benchmarks.md, "Stores that ascend").
#pragma once

#include <memory>

namespace llvm {
class ScheduleDAGMutation;
}

namespace weft::compiler::codegen {

/// For the scheduler of registers not allocated yet: of the parts of one vector that are loaded (target::orders_loads), and of stores that are constants
/// apart, the first comes first, unless that would need more registers than there are.
std::unique_ptr<llvm::ScheduleDAGMutation> make_ascending_accesses();

}  // namespace weft::compiler::codegen
