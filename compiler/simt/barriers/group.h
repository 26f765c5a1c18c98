// The group function: runs the regions of a kernel for all warps of a work-group.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DataLayout.h>

#include "compiler/compiler_api.h"
#include "compiler/simt/barriers/regions.h"
#include "compiler/simt/barriers/frame.h"

namespace weft::compiler::simt {

/// Makes the abi::GroupFunction `name` over widened `regions`, which it inlines. Region r runs for every warp, in
/// order, before the region that they return is entered; a region of -1 ends the group. Warps that
/// return different regions have met different barriers: abi::GroupStatus::kDivergentBarrier.
llvm::Function* make_group_function(llvm::Module& module, llvm::StringRef name, llvm::ArrayRef<llvm::Function*> regions,
                                    const Specialization& specialization, unsigned lanes, const WarpFrame& frame);

}  // namespace weft::compiler::simt
