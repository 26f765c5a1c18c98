// Sides of branches that all lanes run, under a mask, since a branch around them would cost more.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

namespace llvm {
class BasicBlock;
class BranchInst;
class LoadInst;
}  // namespace llvm

namespace weft::compiler::simt {

/// On loads that all lanes run, under a mask (masks/masked_loads.h).
inline constexpr llvm::StringLiteral kMaskedMetadata = "weft.masked";

/// What a branch jumps over; both null where that is more than a block, or both sides have something.
struct Side {
  const llvm::BasicBlock* block = nullptr;
  const llvm::BasicBlock* join = nullptr;
};
Side side_of(const llvm::BranchInst& branch);

/// Whether all lanes may run `side`, for the few that come there: it is short, and has no access but loads for which `may_load` holds.
bool is_short(Side side, llvm::function_ref<bool(const llvm::LoadInst&)> may_load);

/// Whether all lanes do so: its loads are those that masks/masked_loads.h has marked.
bool runs_for_all(Side side);

}  // namespace weft::compiler::simt
