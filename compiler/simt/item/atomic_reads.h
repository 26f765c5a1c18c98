// Updates that change nothing.
//
// OpenCL C 1.x has no atomic read, so that programs write `atomic_add(p, 0)`, `atomic_or(p, 0)` or `atomic_cmpxchg(p, 0, 0)`: mostly in front of an exchange
// that is tried until nobody has come between. Of a relaxed update that leaves what it finds nobody sees more than that it has read, which a
// load of what may change does as well, without a lock, or the fence that LLVM makes of it; and a loop that tries an exchange again is known by its load
// (retry_loops.h).
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Makes volatile loads of such updates of `item`. Returns whether there were any.
bool read_without_updates(llvm::Function& item);

}  // namespace weft::compiler::simt
