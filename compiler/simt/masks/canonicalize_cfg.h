// Brings a region's control flow to the form that linearization requires.
#pragma once

#include "compiler/passes/pass_control.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Afterwards `region` (an `i32 (ptr, ptr)`) has
///  - only branches as terminators and one return, whose value is a phi if there were several;
///    code that the language makes unreachable (`unreachable`) returns -1;
///  - a path from every block to the return: an infinite loop gets an exit on a constant condition;
/// and, if any branch of it is divergent,
///  - only reducible loops, in LoopSimplify form with one exit block each;
///  - structured divergent branches (LLVM's StructurizeCFG). Regions with only uniform branches stay
///    as written, even inside divergent ones: they run under one mask.
/// Where `dispatch` says so, the loop of dispatch_blocks() stands for all that instead, in which a uniform switch chooses a block. Large,
/// for Dispatch::kLarge, is what would take the structurizer long: many divergent branches whose sides meet in one place.
/// Memory accesses are neither moved, duplicated nor dropped. Invalidates `analyses` for `region`. True: it has such a loop.
bool canonicalize_cfg(llvm::Function& region, Analyses& analyses, passes::Dispatch dispatch);

}  // namespace weft::compiler::simt
