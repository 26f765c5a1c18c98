// One update of a counter for those of all warps and groups of a call.
//
// Where groups go through a region together that does little else than to take places of one counter (group_phases.h), processors meet there, and
// the counter's line goes back and forth with each update all the same. So the region runs twice: first it adds up how many places all will take,
// then each takes its own of those that one update got. Nobody can tell that from updates one right after the other.
#pragma once

#include <optional>

namespace llvm {
class AtomicRMWInst;
class Function;
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

struct CombinedUpdate {
  llvm::AtomicRMWInst* update = nullptr;  ///< of the region as it was
  llvm::Function* count = nullptr;        ///< with two more arguments: adds the places that it would take to the first, and stores 1, an i8, to the other if it takes any
  llvm::Function* take = nullptr;         ///< with one more argument, the next place, to which it adds what it takes
};

/// The two functions for `region`, which has with_group_arguments() and stays as it is. Nothing where it asks for more than one update, or for another than a sum;
/// where it writes anything but frames, local memory and its own variables; and where it reads what it or anybody else may write meanwhile.
std::optional<CombinedUpdate> combine_updates(llvm::Function& region);

/// The update of `combined` by `total`, in a function whose first argument is that of its region's. Its old value.
llvm::Value* update_together(const CombinedUpdate& combined, llvm::Value* total, llvm::IRBuilderBase& builder);

}  // namespace weft::compiler::simt
