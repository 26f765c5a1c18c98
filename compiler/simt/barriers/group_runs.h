// Groups side by side along x, row by row.
//
// A kernel that does little to what it goes through, as copies, inversions and thresholds of images do, takes as long to begin a group as to run
// a row of it, and its processor sees as many short streams as a group has rows. Where groups keep nothing to themselves, one call runs
// several of them: the first row of each, then the second, and so on. What the rows have alike is computed once for all groups of the call, and
// memory is gone through along whole rows of the launch. Nothing orders groups, and each group's warps keep their order, so no program can tell.
#pragma once

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Groups at most, or blocks of them, that one call of the code for `region` may run and should; 1: each in a call of its own. `region` is
/// widened and all that its kernel has.
///
/// More than one for straight code, but for branches, that has no local memory and no atomics, whose lanes lie along rows of memory, and which
/// computes little for columns: that would be done again for each row. So many that what a row of the call reads is near when the next one
/// comes, which may read it again. A row of a group is `bodies` of them.
std::uint32_t groups_of_run(const llvm::Function& region, unsigned bodies);

/// Bodies of `lanes` side by side along x in a row of a group; 1 where a body is a row or more, or rows are not whole bodies.
unsigned bodies_of_row(const Specialization& specialization, unsigned lanes);

/// Of `group`, a group function with its region inlined, each load of abi::GroupInfo::group_id along x becomes `id`.
void number_groups(llvm::Function& group, llvm::Value& id);

/// Makes the number of the group that runs a value of which LLVM knows nothing, within the loop over the groups of a run. Its strength reduction
/// would else take each address of the inner loops for a recurrence of two loops, which took it longer than all other code generation for a blur of
/// three taps; what a group computes anew for that is an addition or two.
void hide_group_ids(llvm::Function& group);

/// And the numbers of loops of few, long iterations, as over the bodies of a group: what strength reduction prepares in front of such a loop, a sum for
/// each row and column of a filter, takes longer than it saves.
void hide_few_numbers(llvm::Function& group);

}  // namespace weft::compiler::simt
