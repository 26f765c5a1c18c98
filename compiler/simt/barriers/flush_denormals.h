// Kernels of programs built with -cl-denorms-are-zero (OpenCL 3.0 API §5.8.6.3): denormal floats and doubles are zeros, as operands
// and as results, of all that the processor computes for them.
#pragma once

#include <llvm/IR/Function.h>

namespace weft::compiler::simt {

/// Sets the processor's bits for it where `group`, an abi::GroupFunction, begins, and takes them back at each of its ends: they are
/// nobody else's on this thread. Halves keep their denormals, which conversions of the processor's do whatever the bits; where those
/// are made of float's operations (`has_half_conversions` false), operands are not flushed, results alone.
void flush_denormals(llvm::Function& group, bool has_half_conversions);

}  // namespace weft::compiler::simt
