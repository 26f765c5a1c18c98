// Values that repeat over the lanes.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

class Shapes;

/// The least power of two p that is known such that each of the `lanes` of a body has what the lane p before it has, as far as both are there. In groups
/// of 16 x 16 what follows from the ids along x repeats after 16 lanes, whatever is made of it.
unsigned repeats_after(const llvm::Value& value, const Shapes& shapes, const Specialization& specialization);

}  // namespace weft::compiler::simt
