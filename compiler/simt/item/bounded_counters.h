// Counters of 64 bits that stay below a bound of 31.
//
// Generated kernels often go through all elements by `for (long i = get_global_id(0); i < n; i += get_global_size(0))`, n being an argument, and divide i for
// coordinates. In 64 bits that is long, and what is cut to 32 bits and extended again is not known to be the same number. Hardly any launch has more
// than 2^31 elements: where a kernel would gain, launches say so.
#pragma once

#include "compiler/argument_formats.h"

namespace llvm {
class Argument;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// Whether `argument`, of a linked and scalar-optimized kernel, is a number of 64 bits that bounds a loop whose counter is divided or cut.
bool is_bound(const llvm::Argument& argument);

/// Gives the arguments that `formats` says it of their range: not negative, and below 2^31.
void mark_bounds(llvm::Function& kernel, const ArgumentFormats& formats);

/// Counters of loops of `item`, a simplified item function, that begin and go on by numbers of 31 bits and go on below such a bound become counters of 32 bits.
/// Returns whether there were any.
bool narrow_counters(llvm::Function& item);

}  // namespace weft::compiler::simt
