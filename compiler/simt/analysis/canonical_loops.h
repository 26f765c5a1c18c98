// Loops in the form that LLVM's transformations, and ours that copy them, ask for.
#pragma once

namespace llvm {
class BasicBlock;
class Function;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// Gives the loops of `function` blocks of their own in front and behind, one latch each, and phis for what is used behind them.
void canonicalize_loops(llvm::Function& function, Analyses& analyses);

/// The same, and then the loop that begins with `header`; null if none does.
llvm::Loop* canonical_loop(llvm::BasicBlock& header, Analyses& analyses);

}  // namespace weft::compiler::simt
