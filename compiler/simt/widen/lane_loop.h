// A loop over the live lanes, emitted in place: for what has no form for a whole warp.
#pragma once

#include "compiler/simt/widen/emitter.h"

namespace llvm {
class Instruction;
}

namespace weft::compiler::simt {

class Widening;

/// `instruction` for one live lane after the other, lowest first. Leaves a remark.
Parts lane_loop(Widening& w, llvm::Instruction& instruction);

}  // namespace weft::compiler::simt
