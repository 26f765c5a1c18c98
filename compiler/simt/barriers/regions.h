// Splits an item function at its barriers.
//
// A work-group runs region by region: all work-items run region r to its end before any enters the next.
// Region 0 starts at the kernel's entry, each other one behind a barrier. A region's control flow ends at
// the next barrier, returning the number of the region behind it, or at the kernel's end, returning -1.
// Code that is reachable from several barriers is in several regions.
// A branch that controls a barrier is uniform by the language (OpenCL C 3.0 §6.15.8); nothing here relies
// on it being provably so: each lane returns its own next region, and the group function compares them.
//
// Programs written for GPUs return before a barrier that other work-items reach, whose hardware waits for nobody who has
// ended. Where some work-items may end and others go on (ends_apart.h), a slot more says of each lane whether it has not
// ended, and regions but the first are there twice: as they are, for groups of which nobody has ended, and, behind all these
// and in the same order, copies that do nothing for lanes that have ended, and return -1 for them. Large kernels have
// the copies alone, as the regions that there are.
#pragma once

#include <cstdint>
#include <vector>

#include <llvm/ADT/ArrayRef.h>

namespace llvm {
class Function;
class FunctionCallee;
class Module;
class Type;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// A value that lives across barriers: one scalar value of the item function.
struct Slot {
  llvm::Type* type = nullptr;  ///< of one lane: a scalar, a pointer or an OpenCL vector
  bool uniform = false;        ///< equal in all lanes of a warp wherever it is stored and loaded
  bool of_call = false;        ///< stored or loaded by a caller, too (call_region.h)
};

/// A private variable (one lane's) whose contents live across barriers.
struct PrivateVariable {
  std::uint64_t size = 0;   ///< bytes
  std::uint64_t align = 1;  ///< bytes
  std::uint64_t unit = 0;   ///< bytes, where it is interleaved; 0: blocked (interleave.h)
};

struct RegionSet {
  /// `i32 @<kernel>.region.<n>(ptr launch, ptr group)`, internal.
  std::vector<llvm::Function*> regions;
  std::vector<Slot> slots;                ///< by the number in weft.slot.load and weft.slot.store
  std::vector<PrivateVariable> privates;  ///< by the number in weft.private
};

/// Replaces `item`, which is erased, by its regions. Values that live across barriers are
///  - recomputed at a region's entry if that is cheap, from arguments, ids, and other slots;
///  - else `call T @weft.slot.load.<T>(i32 slot)` at the entry of a region that needs them, and
///    `call void @weft.slot.store.<T>(i32 slot, T)` at the barriers where they are live, in the regions
///    that compute them. Both carry `!weft.uniform` where the slot is uniform. A store to a uniform
///    slot may stand where analysis cannot prove its value uniform: any live lane's value serves.
/// Private variables whose contents live across barriers become `call ptr @weft.private(i32 index)`; all
/// others are allocas of the regions that use them. Without `may_copy`, where some work-items may end before others, each region
/// behind a barrier is there once, and asks who has ended.
RegionSet split_regions(llvm::Module& module, llvm::Function& item, bool may_copy, Analyses& analyses);

/// `weft.slot.load` or `weft.slot.store` of `type`.
llvm::FunctionCallee slot_primitive(llvm::Module& module, llvm::Type* type, bool load);

/// How many of `regions`, from the first, the program's code is; behind them are the copies for groups of which some work-items have ended.
std::size_t without_copies(llvm::ArrayRef<llvm::Function*> regions);

/// The regions of a module that is split already, for weftc running a later pass alone.
RegionSet find_regions(llvm::Module& module);

/// A region returns this in place of the next region when its lanes disagree: when they wait at different barriers, or when
/// some wait and some have ended in a kernel where that cannot be (primitive::kEndsApartAttribute).
inline constexpr int kDivergentRegion = -2;

/// Added to the next region by a body of which some work-items wait and some have ended.
inline constexpr int kSomeEnded = 1 << 30;

}  // namespace weft::compiler::simt
