// Brings a region's control flow to the form that linearization wants.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Afterwards `region` (an `i32 (ptr, ptr)`) has
///  - only branches for terminators, and one return, whose value is a phi where there were several;
///    code that was unreachable by the language (`unreachable`) returns -1;
///  - from every block a path to the return: an infinite loop gets an exit on a constant condition;
/// and, if any branch of it is divergent,
///  - only reducible loops, in LoopSimplify form with one exit block each;
///  - structured divergent branches (LLVM's StructurizeCFG). Regions with only uniform branches are left
///    as they were written, inside of divergent ones too: they run under one mask.
/// Memory accesses are neither moved, duplicated nor dropped. Invalidates `analyses` for `region`.
void canonicalize_cfg(llvm::Function& region, Analyses& analyses);

}  // namespace weft::compiler::simt
