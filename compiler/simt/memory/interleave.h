// Interleaves private variables: the lanes' copies of each element lie side by side.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

#include "compiler/compiler_api.h"
#include "compiler/simt/barriers/regions.h"

namespace weft::compiler::simt {

/// A private variable is by default blocked: the warp's memory for it holds lane after lane, each with a whole
/// copy. This interleaves the variables of `set` whose address serves only to read and write whole units of one
/// size: unit after unit, each for all lanes. An access at an index that the lanes share then is one contiguous
/// vector access in place of a gather.
///
/// In the IR: the alloca (or all calls of `weft.private` for the variable) and its accesses carry
/// `!weft.interleaved`, a number of bytes, and offsets from it are multiplied by `lanes`. Its shape is then
/// a stride of one unit.
/// `private_stride` is as in Shapes, for the unchanged `set`.
void interleave_privates(RegionSet& set, const Specialization& specialization, unsigned lanes,
                         llvm::function_ref<std::uint32_t(unsigned)> private_stride);

}  // namespace weft::compiler::simt
