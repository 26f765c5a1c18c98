// Turns conditional stores to local memory into unconditional stores of either the new or the old value.
//
// Where one body runs the whole group, each memory instruction completes for all work-items before the next one. So
//
//   if (c) t[i] = x;     and     t[i] = c ? x : t[i];
//
// do the same if no two work-items access the same location: no other one runs between the load and the store. This
// removes branches that would keep local memory from becoming registers (promote_local.h): the compare and exchange of a
// sorting network becomes a comparison and two blends. The same holds where several bodies run a group, one after the
// other: between its load and its store a body is alone.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Rewrites stores outside of loops in `item`, which bodies of a group of `lanes` work-items shall run. The location must exist, so
/// the same work-item must have accessed it before; its offset must be known in every lane, up to terms that all lanes
/// share. Returns whether anything changed.
bool blend_local_stores(llvm::Function& item, const Specialization& specialization, unsigned lanes, Analyses& analyses);

}  // namespace weft::compiler::simt
