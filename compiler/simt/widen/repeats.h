// Values that repeat over the lanes.
#pragma once

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

class Widening;

/// The least power of two p that is known such that each lane has what the lane p before it has, as far as both are there. In groups of
/// 16 x 16 what follows from the ids along x repeats after 16 lanes, whatever is made of it.
unsigned repeats_after(const Widening& w, const llvm::Value& value);

}  // namespace weft::compiler::simt
