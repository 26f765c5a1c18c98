// Prints each function with the shape of each value beside it.
//
// For debugging and tests, `weftc --print-shapes`: `widen` prints what it is given in place of widening it.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
class raw_ostream;
}  // namespace llvm

namespace weft::compiler::simt {

/// Prints the linearized `function`, with a comment after each value:
///   ; uniform                              equal in all `lanes`
///   ; stride 4                             lane l holds base + 4 l (bytes for a pointer)
///   ; stride 4 in 16                       affine in segments of 16 lanes
///   ; varying
/// If the stride is not 0, `nsw` and `nuw` follow where it is known not to wrap, and `checked` where the widened
/// code must test at run time that the lanes follow the progression. `private_stride` as in Shapes.
void print_shapes(llvm::Function& function, const Specialization& specialization, unsigned lanes,
                  llvm::function_ref<std::uint32_t(unsigned)> private_stride, llvm::raw_ostream& out);

}  // namespace weft::compiler::simt
