// Groups side by side along x that go through the regions of a kernel together.
//
// Where each group asks a counter of the whole launch for places, as compaction, queues and tickets do, the counter's line goes from
// processor to processor with every group: 4,096 groups that keep half of 256 numbers each took two workers longer than one. One call
// therefore runs several groups, region by region: what is in front of the barrier for each of them, then the updates of the counter one
// right after the other, while this processor has its line, then what is behind the next barrier. Nothing orders groups, so no program can tell,
// unless a group waits for another one.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Groups at most that one call of the code for `regions` should take through them together; 0: groups do not go through them so. `regions` are
/// widened and all that their kernel has, whose groups do not wait for each other. `group_bytes`: of a group's local memory and frames.
///
/// Where there are barriers, which every work-item passes, one behind the other, and a region asks for the old value of
/// a word of global memory that is the same for all groups. So many that what they keep meanwhile stays in a first-level cache.
std::uint32_t groups_in_phases(llvm::ArrayRef<llvm::Function*> regions, std::uint64_t group_bytes);

/// `region`, which is erased, with two more arguments: the group's number along x, an i64, and its local memory.
llvm::Function* with_group_arguments(llvm::Function& region);

}  // namespace weft::compiler::simt
