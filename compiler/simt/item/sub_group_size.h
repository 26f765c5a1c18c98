// How many lanes a kernel's sub-groups have. A kernel that requires 8 or 16 (intel_reqd_sub_group_size) still runs in warps, each of which
// is four or two sub-groups. In the primitives of warps (ir/sub_groups.h) the parts of a sub-group look so, here of 16:
//
//     lane                  lane & 15
//     id                    id * 2 + lane / 16
//     ballot(p)             ballot(p) >> (lane & 16) & 0xffff
//     broadcast(x, from)    shuffle(x, lane & 16 | from & 15)
//     reduce(x)             cluster(x, 16)
//     inclusive(x)          segment_inclusive(x, 16)
//
// So those who take part are those who execute a call together, as in sub-groups of 32, and nothing behind this pass knows of sub-groups
// that are no warps. What is the same in a sub-group is no scalar then: it may differ between the sub-groups of a warp.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// Of `kernel`, in which all is inlined that has to do with sub-groups: writes its primitives of sub-groups with `size` lanes, a power of two
/// and less than a warp, in those of warps. True if there are any.
bool narrow_sub_groups(llvm::Function& kernel, unsigned size);

/// Of all other kernels: a sub-group is a warp.
void widen_sub_groups(llvm::Module& module);

}  // namespace weft::compiler::simt
