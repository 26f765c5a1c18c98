// Sides of branches that all lanes run, under a mask, since a branch around them would cost more.
//
// A side may have branches of its own around sides as short, as of `if (a && b) c = d;`, which are two: all of it runs for all lanes then.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/UniformityAnalysis.h>

namespace llvm {
class BasicBlock;
class BranchInst;
class LoadInst;
}  // namespace llvm

namespace weft::compiler::simt {

/// On loads that all lanes run, under a mask (masks/masked_loads.h).
inline constexpr llvm::StringLiteral kMaskedMetadata = "weft.masked";

/// The blocks that a branch jumps over, in order; none where both sides have something, or that has more than a few blocks, loops or
/// other ways out.
using Side = llvm::SmallVector<const llvm::BasicBlock*, 8>;
Side side_of(const llvm::BranchInst& branch);

/// Whether all lanes may run `side`, for the few that come there: it is short, each of its branches is divergent, and it has no
/// access but loads for which `may_load` holds.
bool is_short(const Side& side, llvm::UniformityInfo& uniformity, llvm::function_ref<bool(const llvm::LoadInst&)> may_load);

/// Whether all lanes do so: its loads are those that masks/masked_loads.h has marked.
bool runs_for_all(const Side& side, llvm::UniformityInfo& uniformity);

}  // namespace weft::compiler::simt
