// What has to be known before lanes are accessed one by one.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>

namespace llvm {
class BasicBlock;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

struct Access;
class Widening;

/// A lane that may be off takes so many times the code of one that is on.
inline constexpr unsigned kMaskedLaneCode = 3;

/// The lanes' addresses, and in place of those of lanes that are off one that is safe.
llvm::Value* chosen_pointers(Widening& w, const Access& access);

/// The blocks whose accesses lane by lane are to be loops: all written out would take LLVM too long. Those in the most loops are written out
/// as long as they are few enough.
llvm::SmallPtrSet<const llvm::BasicBlock*, 8> blocks_with_loops_over_lanes(const Widening& w);
/// Whether `access` is in one of them.
bool is_one_of_many(const Widening& w, const Access& access);

}  // namespace weft::compiler::simt
