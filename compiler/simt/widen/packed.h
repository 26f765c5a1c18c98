// OpenCL vectors in packed form: lane after lane, each with all its components, as memory holds them. Which these are, packed_values.h says.
//
// A load of an OpenCL vector by consecutive lanes, arithmetic on it and its store need no shuffle in this form. Where components
// are taken apart (extractelement, a shuffle, an operand in the other form) the value is split into a vector a component, once,
// where it is defined.
#pragma once

#include "compiler/simt/widen/emitter.h"

namespace weft::compiler::simt {

class Widening;

/// `instruction`, which keeps_packed(), in packed form.
llvm::Value* widen_packed(Widening& w, llvm::Instruction& instruction);

/// Splits x0 y0 x1 y1 ... into x and y: `count` vectors.
Parts deinterleave(Emitter& emitter, llvm::Value* vector, unsigned count);
/// The inverse: x and y to x0 y0 x1 y1 ...
llvm::Value* interleave(Emitter& emitter, llvm::ArrayRef<llvm::Value*> parts);

}  // namespace weft::compiler::simt
