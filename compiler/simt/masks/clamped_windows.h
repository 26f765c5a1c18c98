// Loops over windows that are cut off at an edge.
//
// In `for (x = max(column * 2 - 1, 0); x < min(column * 2 + 2, width); ++x)`, the window of each lane is three elements wide, of which a lane at an edge has
// fewer: it begins elsewhere, and leaves earlier. So lanes' addresses are no row any more, and the loop ends lane by lane. Three iterations for all lanes,
// in which a lane does nothing where its element lies outside, leave rows what they are.
#pragma once

#include <cstdint>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Gives such form to the loops of `region` whose windows are as wide in all lanes, and the same or so from lane to lane, that write nothing and in which
/// lanes do not speak to each other: a lane's iterations are the same in the same order, but other lanes' beside them are others. `private_stride` is as in
/// Shapes. Returns whether anything changed; `analyses` are invalid for `region` then.
bool widen_clamped_windows(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                           llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses);

}  // namespace weft::compiler::simt
