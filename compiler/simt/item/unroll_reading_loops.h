// Unrolls loops of constant counts that read memory, as filters have over their taps, where copies of a read may be one.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class DominatorTree;
class Function;
class Instruction;
class Loop;
}

namespace weft::compiler::simt {

class Analyses;

/// Of a texel, or of global or local memory.
bool is_read_of_memory(const llvm::Instruction& instruction);

/// Unrolls those of `item` for which `may` holds, the inner ones first, to `most` instructions in all.
void unroll_reading_loops(llvm::Function& item, unsigned most, Analyses& analyses,
                          llvm::function_ref<bool(const llvm::Loop& loop, const llvm::DominatorTree& dominators)> may);

unsigned instructions_of(const llvm::Loop& loop);

/// Unrolls `loop` of `function`, which runs `count` times, completely. True if it did; the function's analyses are invalid then.
bool unroll_completely(llvm::Function& function, llvm::Loop& loop, unsigned count, Analyses& analyses);

}  // namespace weft::compiler::simt
