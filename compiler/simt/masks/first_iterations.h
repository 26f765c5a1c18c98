// First iterations that most warps leave, apart from the loop.
//
// In `while (k < length && text[i + k] == word[k]) ++k;` nearly all warps end in the first iteration. As a divergent loop it carries a mask,
// keeps each lane's values as they were at its end, and begins with phis that nothing is known of. So the first iteration gets a copy in
// front: its values are constants where the loop's beginnings are, and the loop runs for warps that have a lane left.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Gives such a copy to each short innermost loop of `region` in which lanes stay where a number that they load is equal to another, which
/// programs seldom expect, and load from neighbouring places. `private_stride` is as in Shapes. Each lane runs the same iterations in the same
/// order as before. Returns whether anything changed; `analyses` are invalid for `region` then.
bool take_first_iterations(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                           llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses);

}  // namespace weft::compiler::simt
