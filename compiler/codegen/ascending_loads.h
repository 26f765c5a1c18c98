// Loads of one row of memory, from its beginning to its end.
//
// A vector of 256 floats is loaded by 16 instructions, which LLVM's scheduler orders by what waits for them: a tree that adds its halves, and
// halves of these, loads parts 5, 13, 9, 7, and so on. Prefetchers follow what ascends: sums of groups of 512 floats out of a third-level cache took
// 1.16 times as long, and scans 1.4 times.
#pragma once

#include <memory>

namespace llvm {
class ScheduleDAGMutation;
}

namespace weft::compiler::codegen {

/// For the scheduler of registers not allocated yet: of the parts of one vector the first is loaded first, unless that would need
/// more registers than there are.
std::unique_ptr<llvm::ScheduleDAGMutation> make_ascending_loads();

}  // namespace weft::compiler::codegen
