// Loops that run for a lane alone, where it is one alone that gets there, or for one after the other, where few do.
#pragma once

namespace llvm {
class BasicBlock;
class Loop;
}  // namespace llvm

namespace weft::compiler {
struct Specialization;
}

namespace weft::compiler::simt {

class Analyses;

/// Behind a condition that few lanes meet, as the vertices of a search's frontier do, a warp often has one lane alone, for which it gathers and scatters as for
/// all. Whatever the loop stores and whoever reads that: of one lane no other can tell. So `loop` gets a copy for several lanes, and may itself run as one
/// lane's code from here on. Returns the copy's header; null if nothing changed. Else all analyses are invalid.
llvm::BasicBlock* copy_for_several_lanes(llvm::Loop& loop, const Specialization& specialization, Analyses& analyses);

/// How many lanes come behind conditions that each meets for itself is a guess: of five in a row, all lanes may meet them, or one. So `loop`, which may run
/// for one lane after the other and is faster so up to `few` of 32, gets a copy that runs side by side where more come. Returns the copy's header, as above.
llvm::BasicBlock* copy_for_many_lanes(llvm::Loop& loop, unsigned few, Analyses& analyses);

}  // namespace weft::compiler::simt
