// Private variables with their lanes side by side.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

#include "compiler/compiler_api.h"
#include "compiler/simt/barriers/regions.h"

namespace weft::compiler::simt {

/// A private variable is by default blocked: the warp's memory for it holds lane after lane, each with a whole
/// copy. Here the variables of `set` that are only read and written as whole units of one size (and whose
/// address does nothing else) become interleaved: unit after unit, each for all lanes. So an access at an
/// index that the lanes share is one contiguous vector access, where it was a gather.
///
/// In the IR: the alloca (or all calls of `weft.private` for the variable) and its accesses carry
/// `!weft.interleaved`, a number of bytes, and offsets from it are multiplied by `lanes`. Its shape is then
/// a stride of one unit.
/// `private_stride` is as in Shapes, for `set` as it came.
void interleave_privates(RegionSet& set, const Specialization& specialization, unsigned lanes,
                         llvm::function_ref<std::uint32_t(unsigned)> private_stride);

}  // namespace weft::compiler::simt
