// A loop over the live lanes, emitted in place: for what has no form for a whole warp.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/simt/widen/emitter.h"

namespace llvm {
class Instruction;
class Value;
}

namespace weft::compiler::simt {

class Widening;

/// `instruction` for one live lane after the other, lowest first. Leaves a remark.
Parts lane_loop(Widening& w, llvm::Instruction& instruction);

/// Calls `emit` once, in a loop that takes the live lanes from the lowest on, with the lane's number as an i64. Ends behind the loop.
void for_each_live_lane(Widening& w, llvm::function_ref<void(llvm::Value* lane)> emit);

}  // namespace weft::compiler::simt
