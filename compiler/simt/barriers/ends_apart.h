// Whether some work-items of a group may end while others wait at a barrier.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include "compiler/simt/barriers/region_values.h"

namespace weft::compiler::simt {

class Analyses;

/// How the work-items of a group come to their ends.
enum class Ends {
  kTogether,  ///< all behind the same barrier, as far as can be seen; a group where they do not is in error
  kByWarps,   ///< those of a warp together
  kByLanes,
};

/// Of `item`, split at `barriers`. More than kTogether only if some region can both end and reach a barrier, and only where lanes or warps may
/// decide on that for themselves: a loop with a barrier that is left by a uniform condition ends for all.
Ends how_ends(llvm::Function& item, llvm::ArrayRef<Barrier> barriers, Analyses& analyses);

}  // namespace weft::compiler::simt
