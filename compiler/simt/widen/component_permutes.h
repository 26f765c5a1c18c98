// shuffle() with masks known at run time (ir/component_permutes.h), of all lanes.
#pragma once

#include "compiler/simt/widen/emitter.h"

namespace weft::compiler::simt {

/// Of n components of x and of the mask, in vectors of their own: n - 1 selects each.
Parts permuted_by_component(Emitter& emitter, const Parts& x, const Parts& mask);

/// Of packed x and mask, n components a lane: the processor permutes bytes or words of a register, in which a lane's components lie side by side.
llvm::Value* permuted_packed(Emitter& emitter, llvm::Value* x, llvm::Value* mask, unsigned n);

}  // namespace weft::compiler::simt
