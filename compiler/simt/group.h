// The group function: runs the regions of a kernel for all warps of a work-group.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DataLayout.h>

#include "compiler/compiler_api.h"
#include "compiler/simt/regions.h"
#include "compiler/simt/widen.h"

namespace weft::compiler::simt {

/// Lays out a warp's frame for `set`, for W = `lanes`.
WarpFrame lay_out_frame(const RegionSet& set, unsigned lanes, const llvm::DataLayout& layout);

/// Makes the abi::GroupFunction `name` over widened `regions`, which it inlines. Region r runs for every warp, in
/// order, before the region that they return is entered; a region of -1 ends the group. Warps that
/// return different regions have met different barriers: abi::GroupStatus::kDivergentBarrier.
/// Above 1, `stack` groups, whose GroupInfos follow each other, run by turns, as many of them as the launch has: each region of
/// each is a turn. Their regions come of stack_groups(): no real barriers, so that nothing asks which ones the warps meet.
llvm::Function* make_group_function(llvm::Module& module, llvm::StringRef name, llvm::ArrayRef<llvm::Function*> regions,
                                    const Specialization& specialization, unsigned lanes, const WarpFrame& frame,
                                    std::uint32_t stack);

}  // namespace weft::compiler::simt
