// The group function: runs the regions of a kernel for all warps of a work-group.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DataLayout.h>

#include "compiler/compiler_api.h"
#include "compiler/simt/barriers/regions.h"
#include "compiler/simt/barriers/frame.h"

namespace weft::compiler::simt {

struct GroupFunction {
  llvm::Function* function = nullptr;
  llvm::Value* group_id = nullptr;  ///< along x, of the group that runs; null: as abi::GroupInfo has it
  llvm::Function* pair = nullptr;   ///< of Runs::kPairs, to be erased once it is inlined
};

/// Groups of a call.
enum class Runs { kOne, kRows, kPhases, kPairs };

/// Makes the abi::GroupFunction `name`, which runs the widened `regions` and inlines them. Each region runs for every
/// warp, in order, and returns the next region, or -1 to end the group. Warps that return different regions have met
/// different barriers: abi::GroupStatus::kDivergentBarrier. A region that all leave for the same one is not asked.
/// Where work-items may end one by one (primitive::kEndsApartAttribute), warps that have ended are not asked:
/// abi::GroupStatus::kDoneWithoutSome.
///
/// `runs` says how many groups a call runs, those of abi::GroupInfo::run: the only region row by row (group_runs.h), or all
/// groups region by region (group_phases.h), or two of one work-item beside each other (group_pairs.h), each with `local_bytes` of local memory.
GroupFunction make_group_function(llvm::Module& module, llvm::StringRef name, llvm::MutableArrayRef<llvm::Function*> regions,
                                  const Specialization& specialization, unsigned lanes, const WarpFrame& frame, Runs runs,
                                  std::uint64_t local_bytes);

}  // namespace weft::compiler::simt
