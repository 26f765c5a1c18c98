// Two groups of one work-item beside each other, as scalar code.
//
// A work-item whose every step waits for the one before, as where what is looked up says where to look next (Blowfish, RC4), leaves most of a
// processor idle. Vectors do not help where each lane has tables of its own: a gather is a load for each lane. But the processor starts several
// instructions at once: one call runs two groups, whose instructions alternate. Nothing orders groups, so no program can tell.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Whether the code for `region`, widened to one lane and all that its kernel has, can run two groups beside each other, with `local_bytes` of local
/// memory each: where both take the same way, except where they part before either has written anything, as at the end of the range. Not of a kernel
/// that does not ask for its number, which is launched once.
bool can_run_as_pairs(const llvm::Function& region, std::uint64_t local_bytes);

/// Whether it should: where what its loops carry from one iteration to the next takes longer than all that both groups compute.
bool pays_as_pairs(const llvm::Function& region);

/// Makes a function of `region`, which has the group's number and local memory as its last arguments (with_group_arguments), that runs it for that group
/// and for the next one, whose local memory is `local_bytes` further. It returns an i1: false if the groups part, and nothing was done.
llvm::Function* make_pair(llvm::Function& region, std::uint64_t local_bytes);

}  // namespace weft::compiler::simt
