// Groups of a single work-item as lanes of a warp, though they have barriers and local memory.
//
// Such a group waits for nobody, so a barrier is nothing. Its local memory is its own, but tables that every group fills alike, as
// programs written for larger groups do first of all, need not be there once a lane: a variable whose every store has the same
// address and value in all lanes, and is made by all of them, stays in local memory, once for all groups of a block. Any other
// becomes private memory, which later passes keep in registers or lay out lane beside lane.
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Private memory that lanes access at places of their own.
struct Gathered {
  std::uint64_t bytes = 0;     ///< of one work-item
  std::uint32_t accesses = 0;  ///< in the kernel's code
};

/// Whether fuse_single_items would succeed, and then the bytes of a work-item, private memory and local memory that becomes such, that
/// lanes of a warp read or write at places that differ. `kernel` is linked, pinned and scalar-optimized; it stays as it is.
std::optional<Gathered> plan_single_items(const llvm::Function& kernel);
/// The same without a copy: what is left of the kernel is of no use.
std::optional<Gathered> plan_single_items_in_place(llvm::Function& kernel);

/// Makes `kernel` one of groups of one work-item without barriers, whose local memory is what all groups may share. Fails, and what is
/// left of the kernel is of no use, where local memory comes as an argument, whose size is not known, where its addresses are taken
/// apart, kept or mixed with others, and with sub-groups.
bool fuse_single_items(llvm::Function& kernel);

}  // namespace weft::compiler::simt
