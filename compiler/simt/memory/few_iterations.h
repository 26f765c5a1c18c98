// Loops that run for one lane after the other, unless all lanes are done soon.
#pragma once

namespace llvm {
class BasicBlock;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// A lane's turn has a beginning and an end, and the processor does not foresee the end: rows of a handful of elements take several times what
/// they take side by side. How long its rows are, a program's lists say, not its code. So `loop` gets a copy, which runs where no lane has more than
/// `few` iterations, a number that is known in front of it. Returns the copy's header; null if nothing changed. Else all analyses are invalid.
llvm::BasicBlock* copy_for_few_iterations(llvm::Loop& loop, unsigned few, Analyses& analyses);

}  // namespace weft::compiler::simt
