// Stores to local memory under a condition that only running tells, as stores of what is new or what was there.
//
// Where one body runs the whole group, every memory instruction completes for all work-items before the next one. So
//
//   if (c) t[i] = x;     and     t[i] = c ? x : t[i];
//
// do the same where no two work-items name one place: nobody can write it between the load and the store, for nobody else
// runs then. The branches go, and with them what keeps local memory from becoming registers (promote_local.h): the
// compare and exchange of a sorting network becomes a comparison and two blends.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Of `item`, which one body of `lanes` work-items shall run, outside of loops. A place is only read and written where the
/// same work-item has accessed it before, so it exists, and only where its offset is known in every lane but for what all
/// lanes share. Returns whether anything changed.
bool blend_local_stores(llvm::Function& item, const Specialization& specialization, unsigned lanes, Analyses& analyses);

}  // namespace weft::compiler::simt
