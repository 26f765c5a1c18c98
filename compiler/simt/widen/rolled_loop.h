// A loop over lane numbers, a few at a time, that stays a loop.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

class Emitter;

/// Calls `emit` for the body of a loop over the lanes 0, `step`, 2 `step`, ... below `count`, a multiple of `step`, with the lane's
/// number as an i64. Emission goes on behind the loop. LLVM leaves it rolled up: it is a loop to be short.
void rolled_loop(Emitter& emitter, unsigned count, unsigned step, llvm::function_ref<void(llvm::Value* lane)> emit);

/// The same with values that go from one iteration to the next: `first`, then as many that `emit` returns.
using Carried = llvm::SmallVector<llvm::Value*, 4>;
void rolled_loop(Emitter& emitter, unsigned count, unsigned step, llvm::ArrayRef<llvm::Value*> first,
                 llvm::function_ref<Carried(llvm::Value* lane, llvm::ArrayRef<llvm::Value*> carried)> emit);

}  // namespace weft::compiler::simt
